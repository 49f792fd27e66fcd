"""Texts for pages: escaped for Markdown, shortened, and as names of files."""

import re
from pathlib import PurePosixPath

_SPECIAL = re.compile(r"([\\`*_{}\[\]()<>#+\-!|~$:&])")


def escape_markdown(text: str) -> str:
    """Return `text` on one line, with each character escaped that Markdown or Streamlit would take for
    formatting, a link, maths or an icon."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))


def shorten_text(text: str, length: int) -> str:
    """Return at most `length` characters: some suppliers put a page of terms into a product name."""
    return text if len(text) <= length else f"{text[: length - 1].rstrip()}…"


_LONGEST_FILE_NAME = 60


def shorten_file_name(name: str) -> str:
    """Return the name without folders; the middle of a long one is left out."""
    bare = PurePosixPath(name.replace("\\", "/")).name or name
    if len(bare) <= _LONGEST_FILE_NAME:
        return bare
    return f"{bare[: _LONGEST_FILE_NAME - 16]}…{bare[-15:]}"
