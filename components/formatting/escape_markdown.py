"""Escaping of texts from elsewhere inside Markdown."""

import re

_SPECIAL = re.compile(r"([\\`*_{}\[\]()<>#+\-!|~$:&])")


def escape_markdown(text: str) -> str:
    """Return `text` on one line, with each character escaped that Markdown or Streamlit would take for
    formatting, a link, maths or an icon."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))
