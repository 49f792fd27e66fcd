"""What is to be known of how a document was read."""

from collections.abc import Sequence

import streamlit as st

from components.formatting.escape_markdown import escape_markdown


def draw_reading_warnings(warnings: Sequence[str]) -> None:
    """Draw the sentences about a reading in one panel; nothing where there is none."""
    lines = [escape_markdown(warning) for warning in warnings]
    if lines:
        text = lines[0] if len(lines) == 1 else "\n".join(f"- {line}" for line in lines)
        st.warning(text, icon=":material/warning:")
