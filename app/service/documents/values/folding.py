"""Text without the differences that say nothing: case, accents, underscores."""

import re
import unicodedata
from functools import lru_cache

_FOOTNOTE = re.compile(r"(?<=\d)[⁰¹²³⁴-⁹⁽⁾]+")


@lru_cache(maxsize=8192)
def fold(text: str) -> str:
    """Return the text in lower case without accents and underscores.

    It is as long as the text was, so that offsets hold. The number of a footnote behind a figure is blanked:
    folded, `30²` would be 302.
    """
    text = text.replace("_", " ")
    if text.isascii():
        return text.lower()
    text = _FOOTNOTE.sub(lambda found: " " * len(found.group()), text)
    letters: list[str] = []
    for letter in text:
        bare = unicodedata.normalize("NFKD", letter)[:1].lower()
        letters.append(bare if len(bare) == 1 else letter)
    return "".join(letters)
