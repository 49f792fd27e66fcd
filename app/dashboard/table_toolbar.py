"""What the toolbar of Streamlit's tables offers."""

import streamlit as st

# The CSV that the browser makes has the rows of one page and runs what a cell holds as a formula.
_STYLE = """
<style>
[data-testid="stElementToolbarButton"]:has(button[aria-label^="Download as CSV"]) { display: none; }
</style>"""


def hide_csv_button() -> None:
    """Take the download out of every table: where a file is of use, a button of ours writes one with all rows
    and escaped formulas (`spreadsheets.py`)."""
    st.html(_STYLE)
