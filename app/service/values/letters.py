"""One letter for each that people write alike: digits of all scripts, spaces, signs of minus, apostrophes."""

import re
import unicodedata

_LETTERS: dict[str, str | None] = {
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d", "-"),
    **dict.fromkeys("\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a", " "),
    **dict.fromkeys("\u202f\u205f\u3000\t", " "),
    **dict.fromkeys("\u2018\u2019\u02bc\uff07", "'"),
    **dict.fromkeys("\u200b\u200c\u200d\u200e\u200f\u061c\u2066\u2067\u2068\u2069\u202a\u202b\u202c\ufeff"),
    **dict(zip("，．％（）＋／：￥＄￡￦٪", ",.%()+/:¥$£₩%", strict=True)),
}
_ALIKE = str.maketrans(_LETTERS)
_MORE_SPACES = re.compile(r" {2,}")


def unify_letters(text: str) -> str:
    """Return the text with ASCII digits, one kind of space, minus and apostrophe, and no invisible letters.

    Superscript digits stay: `30²` is not 302.
    """
    if text.isascii():
        text = text.replace("\t", " ")
        return (_MORE_SPACES.sub(" ", text) if "  " in text else text).strip(" ")
    unified = "".join(
        str(unicodedata.decimal(letter)) if letter.isdecimal() else letter
        for letter in text.translate(_ALIKE)
    )
    return _MORE_SPACES.sub(" ", unified).strip(" ")
