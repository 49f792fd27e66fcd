"""Which sheet of a workbook is read."""

from collections.abc import Sequence

import streamlit as st

from app.contract.imports import ImportSheet
from components.formatting.counts import format_count


def draw_sheet_choice(sheets: Sequence[ImportSheet], read: str | None, *, key: str) -> ImportSheet | None:
    """Draw the sheets that hold a table, where there are several, and return the one that is chosen now."""
    tables = {one.name: one for one in sheets if one.columns}
    if len(tables) < 2:
        return tables.get(read or "")
    names = list(tables)
    chosen = st.selectbox(
        "Sheet",
        names,
        index=names.index(read) if read in names else None,
        format_func=lambda name: _describe(tables[name]),
        key=key,
        width=400,
        help="The sheets of this workbook that hold a table",
    )
    return tables[chosen] if chosen else None


def _describe(sheet: ImportSheet) -> str:
    return f"{sheet.name} ({'hidden, ' if sheet.hidden else ''}{format_count(sheet.rows, 'row')})"
