"""Several texts in one cell, separated by `|`. Pure."""

import re
from collections.abc import Iterable

_PIECE = re.compile(r"\\[\\|]|\||[^\\|]+|\\")


def join_texts(texts: Iterable[str]) -> str:
    r"""Return texts as one cell; a `|` or backslash in one of them is written `\|` or `\\`."""
    return " | ".join(re.sub(r"([\\|])", r"\\\1", text) for text in texts)


def split_texts(cell: str) -> list[str]:
    """Return the texts of a cell, an empty one where nothing stands between two separators."""
    parts = [""]
    for piece in _PIECE.findall(cell):
        if piece == "|":
            parts.append("")
        else:
            parts[-1] += piece[1:] if len(piece) == 2 and piece[0] == "\\" else piece
    return [part.strip() for part in parts]
