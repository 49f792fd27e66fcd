"""Text without the differences that say nothing: case, accents, underscores, letters that people write alike,
and digits that print raises, the numbers of footnotes and the cents of a price."""

import re
import unicodedata
from functools import lru_cache

_SPACE = re.compile(r"\s+")


def fold_text(text: str) -> str:
    """Return `text` without case, accents and repeated white space: `Łódź  Café` is `łodz cafe`."""
    return _SPACE.sub(" ", remove_accents(text)).strip()


def remove_accents(text: str) -> str:
    """Return `text` without case and accents."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text).casefold()
    # Case folding may compose characters again, so marks are removed after it.
    return "".join(c for c in unicodedata.normalize("NFKD", decomposed) if not unicodedata.combining(c))


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


_FRACTION_SLASH = "\N{FRACTION SLASH}"
_FIRST_JAMO, _LAST_JAMO = "\u1100", "\u11ff"
"""The letters of Korean, which as accents would be taken off their syllables."""
_FOOTNOTE = re.compile(r"(?<=\d)[⁰¹²³⁴-⁹⁽⁾]+")


@lru_cache(maxsize=8192)
def fold(text: str) -> str:
    """Return the text in lower case without accents and underscores.

    It is as long as the text was, so that offsets hold; № is #. The number of a footnote behind a figure is
    blanked: folded, `30²` would be 302. Fractions stay for the same reason, and Korean syllables are whole.
    """
    text = text.replace("_", " ").replace("№", "#")
    if text.isascii():
        return text.lower()
    text = _FOOTNOTE.sub(lambda found: " " * len(found.group()), text)
    letters: list[str] = []
    for letter in text:
        parts = unicodedata.normalize("NFKD", letter)
        bare = parts[:1].lower().replace("đ", "d")  # of Vietnamese, which is no d with an accent
        is_whole = _FRACTION_SLASH in parts or _FIRST_JAMO <= bare <= _LAST_JAMO
        letters.append(bare if len(bare) == 1 and not is_whole else letter)
    return "".join(letters)


_PLAIN, _RAISED = "0123456789()[]", "⁰¹²³⁴⁵⁶⁷⁸⁹⁽⁾⁽⁾"
_TO_RAISED = str.maketrans(_PLAIN, _RAISED)
_TO_PLAIN = str.maketrans(_RAISED[:10], _PLAIN[:10])
_DIGITS = re.compile(r"[\d\s.,;()\[\]*–-]*")
_CENTS = re.compile(
    r"(?<![\d.,])(?P<whole>\d{1,3}(?:[.,'’ \u00a0\u202f]\d{3}){1,4}|\d+)(?P<mark>[.,]?)(?P<unit>\s?[€$£]|)\s?"
    r"(?P<cents>[⁰¹²³⁴-⁹]{2})(?![⁰¹²³⁴-⁹⁾]|,[⁰¹²³⁴-⁹])"
)


def raise_digits(text: str) -> str:
    """Return a text that is printed raised, its digits as ¹²³ where it has nothing but digits and signs:
    small print that is raised as a whole is what it is anywhere."""
    return text.translate(_TO_RAISED) if _DIGITS.fullmatch(text) else text


def lower_cents(text: str) -> str:
    """Return the text with raised cents as others are printed: `€855⁰⁰` as `€855.00`."""
    return _CENTS.sub(_print_cents, text)


def _print_cents(price: re.Match[str]) -> str:
    mark = price["mark"] or ("," if "." in price["whole"] else ".")
    return f"{price['whole']}{mark}{price['cents'].translate(_TO_PLAIN)}{price['unit']}"
