"""Buttons that download a table as CSV and as a workbook."""

from collections.abc import Callable

import streamlit as st

from app.dashboard.spreadsheets import CSV, XLSX, Table, write_csv, write_xlsx


def draw_table_downloads(make_rows: Callable[[], Table], *, name: str, key: str) -> None:
    """Draw both buttons. The rows are made when one is pressed; `name` is that of the file."""
    with st.container(horizontal=True):
        st.download_button(
            "Download (CSV)",
            lambda: write_csv(make_rows()),
            f"{name}.csv",
            CSV,
            key=f"{key}-csv",
            icon=":material/download:",
            on_click="ignore",
        )
        st.download_button(
            "Download (XLSX)",
            lambda: write_xlsx({name.capitalize(): make_rows()}),
            f"{name}.xlsx",
            XLSX,
            key=f"{key}-xlsx",
            icon=":material/download:",
            on_click="ignore",
        )
