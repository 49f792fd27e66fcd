"""A table of imports, newest first."""

from collections.abc import Sequence
from datetime import tzinfo

import streamlit as st

from app.contract.imports import Import
from components.elements.clickable_table import draw_clickable_table
from components.formatting.datetimes import format_local_time, get_reader_zone
from components.imports.fixtures import make_import
from components.imports.import_words import STATUS_LABELS, describe_kind


def draw_import_table(imports: Sequence[Import], *, zone: tzinfo, key: str) -> Import | None:
    """Draw the imports and return the one that was chosen."""
    rows = [
        {
            "File": one.filename,
            "Contents": describe_kind(one.kind),
            "Rows": None if one.result is None else one.result.imported,
            "State": STATUS_LABELS.get(one.status, one.status),
            "Started": format_local_time(one.created_at, zone),
        }
        for one in imports
    ]
    chosen = draw_clickable_table(
        rows,
        key=key,
        alt=f"{len(rows)} imports, newest first",
        button_column="File",
        columns={
            "Contents": st.column_config.TextColumn(),
            "State": st.column_config.TextColumn(),
            "Rows": st.column_config.NumberColumn(format="localized", help="Rows that were imported"),
            "Started": st.column_config.TextColumn(alignment="right"),
        },
    )
    return None if chosen is None else imports[chosen]


def example() -> None:
    imports = [
        make_import(status, 700 + 2 * at) for at, status in enumerate(("ready", "completed", "failed"))
    ]
    draw_import_table(imports, zone=get_reader_zone(), key="example-imports")
