"""The names of quotes whose documents are being read."""

from collections.abc import Sequence

import streamlit as st

from components.formatting.escape_markdown import escape_markdown
from components.formatting.file_names import shorten_file_name


def draw_quotes_being_read(names: Sequence[str]) -> None:
    """Draw a line for each, by the name of its file."""
    for name in names:
        st.markdown(f":material/hourglass_top: {escape_markdown(shorten_file_name(name))} is being read…")
