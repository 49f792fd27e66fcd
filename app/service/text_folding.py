"""Text without case and accents, for sorting, searching and identity."""

import re
import unicodedata

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
