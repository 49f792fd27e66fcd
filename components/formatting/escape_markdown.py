"""Foreign text inside Markdown: shown as it is written, never as formatting, links, maths or icons."""

import re

_SPECIAL = re.compile(r"([\\`*_{}\[\]()<>#+\-!|~$:&])")


def escape_markdown(text: str) -> str:
    """`text` on one line with every character that Markdown or Streamlit would interpret escaped."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))
