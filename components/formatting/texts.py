"""Texts for pages: escaped for Markdown, shortened, and as names of files."""

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import PurePosixPath

_SPECIAL = re.compile(r"([\\`*_{}\[\]()<>#+\-!|~$:&])")


def escape_markdown(text: str) -> str:
    """Return `text` on one line, with each character escaped that Markdown or Streamlit would take for
    formatting, a link, maths or an icon."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))


def to_symbol(icon: str | None) -> str | None:
    """Return the Material symbol of that name as Streamlit takes it."""
    return f":material/{icon}:" if icon else None


def shorten_text(text: str, length: int) -> str:
    """Return at most `length` characters: some suppliers put a page of terms into a product name."""
    return text if len(text) <= length else f"{text[: length - 1].rstrip()}…"


def count_repeats(names: Sequence[str]) -> list[int]:
    """Return for each name how many of that name there are up to it."""
    seen: Counter[str] = Counter()
    counts: list[int] = []
    for name in names:
        seen[name] += 1
        counts.append(seen[name])
    return counts


def number_names(names: Sequence[str]) -> list[str]:
    """Return the names, with a number behind each that stands there before: `Seats (2)`."""
    counts = zip(names, count_repeats(names), strict=True)
    return [name if count == 1 else f"{name} ({count})" for name, count in counts]


_LONGEST_FILE_NAME = 60


def shorten_file_name(name: str) -> str:
    """Return the name without folders; the middle of a long one is left out."""
    bare = PurePosixPath(name.replace("\\", "/")).name or name
    if len(bare) <= _LONGEST_FILE_NAME:
        return bare
    return f"{bare[: _LONGEST_FILE_NAME - 16]}…{bare[-15:]}"
