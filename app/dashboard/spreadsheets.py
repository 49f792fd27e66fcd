"""Tables as files that a spreadsheet opens without running anything that stands in them."""

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Literal

import streamlit as st
import xlsxwriter  # pyright: ignore[reportMissingTypeStubs]

from app.dashboard.api import queries
from app.dashboard.deployment import Deployment
from app.storable_text import escape_inside, starts_formula
from components.formatting import to_symbol

Cell = str | int | float | None
Table = Sequence[Mapping[str, Cell]]

CSV = "text/csv"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def escape_formula(cell: Cell) -> Cell:
    """Text that a spreadsheet would take for a formula gets an apostrophe in front; numbers stay numbers."""
    if not isinstance(cell, str):
        return cell
    escaped = escape_inside(cell)
    return f"'{escaped}" if starts_formula(cell) else escaped


def write_csv(table: Table) -> bytes:
    """UTF-8 with a byte order mark, which Excel needs to read it as such."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    columns = _list_columns(table)
    writer.writerow([escape_formula(name) for name in columns])
    writer.writerows([escape_formula(row.get(name)) for name in columns] for row in table)
    return out.getvalue().encode("utf-8-sig")


def write_xlsx(sheets: Mapping[str, Table]) -> bytes:
    """One sheet for each table; every text is written as text."""
    out = io.BytesIO()
    book = xlsxwriter.Workbook(
        out, {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    )
    bold = book.add_format({"bold": True})  # pyright: ignore[reportUnknownMemberType]
    for title, table in sheets.items():
        sheet = book.add_worksheet(title[:31])  # pyright: ignore[reportUnknownMemberType]
        columns = _list_columns(table)
        for at, name in enumerate(columns):
            sheet.write_string(0, at, name, bold)
            sheet.set_column(at, at, max(12, min(48, len(name) + 2)))
        for line, row in enumerate(table, 1):
            for at, name in enumerate(columns):
                cell = row.get(name)
                if isinstance(cell, str):
                    sheet.write_string(line, at, cell)
                elif cell is not None:
                    sheet.write_number(line, at, cell)
        sheet.freeze_panes(1, 0)
    book.close()
    return out.getvalue()


def _list_columns(table: Table) -> list[str]:
    """The columns of all rows, in the order in which they first come."""
    return list(dict.fromkeys(name for row in table for name in row))


def draw_download(
    label: str,
    make: Callable[[], bytes],
    filename: str,
    media_type: str,
    *,
    key: str,
    help: str | None = None,
    icon: str = "download",
    type: Literal["secondary", "tertiary"] = "secondary",
) -> None:
    """Draw the button of a file, which is made when the button is pressed."""
    st.download_button(
        label,
        make,
        filename,
        media_type,
        key=key,
        help=help,
        icon=to_symbol(icon),
        type=type,
        on_click="ignore",
    )


def draw_table_downloads(make_rows: Callable[[], Table], *, name: str, key: str) -> None:
    """Draw the buttons of a table as CSV and XLSX; `name` is that of the file."""
    with st.container(horizontal=True):
        draw_download("Download (CSV)", lambda: write_csv(make_rows()), f"{name}.csv", CSV, key=f"{key}-csv")
        draw_download(
            "Download (XLSX)",
            lambda: write_xlsx({name.capitalize(): make_rows()}),
            f"{name}.xlsx",
            XLSX,
            key=f"{key}-xlsx",
        )


def draw_offered_downloads(
    deployment: Deployment,
    operation: str,
    files: Mapping[str, tuple[str, str, str]],
    load: Callable[[str], bytes],
    *,
    key: str,
) -> None:
    """Draw a button for each of the `files` (label, media type and explanation by suffix) that the deployment
    writes by `operation`, whose path ends in the suffix. One is loaded when its button is pressed."""
    name = operation.rpartition("/")[2]
    for suffix, (label, media_type, explanation) in files.items():
        if queries.has_operation(deployment, f"{operation}.{suffix}"):
            file = f"{name}.{suffix}"
            ident = f"{key}-{suffix.partition('.')[0]}"
            draw_download(label, partial(load, suffix), file, media_type, key=ident, help=explanation)
