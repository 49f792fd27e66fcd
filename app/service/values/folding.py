"""Text without the differences that say nothing: case, accents, underscores."""

import re
import unicodedata
from functools import lru_cache

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
