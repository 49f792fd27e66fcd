"""How many bytes the organisation stores, of how many it may."""

from collections.abc import Sequence

import streamlit as st

from app.contract.usage import StoredBytes
from components.elements.table import draw_table

WHAT = {
    "files": "Uploaded files",
    "imports": "Text that imports brought",
    "calls": "Text that calls and pages wrote",
}
MEBIBYTE = 1024 * 1024


def draw_stored_bytes(amounts: Sequence[StoredBytes]) -> None:
    """Draw a line for each kind of bytes, with how full its quota is."""
    draw_table(
        [
            {
                "What": WHAT.get(one.kind, one.kind),
                "Stored": one.stored / MEBIBYTE,
                "Most": one.most / MEBIBYTE,
                "Full": min(1.0, one.stored / one.most),
            }
            for one in amounts
        ],
        key="stored-bytes",
        alt="what the organisation stores, by kind, with how much it may store",
        columns={
            "What": st.column_config.TextColumn(width="medium"),
            "Stored": st.column_config.NumberColumn("Stored (MiB)", format="%.1f"),
            "Most": st.column_config.NumberColumn("At most (MiB)", format="localized"),
            "Full": st.column_config.ProgressColumn("Used", format="percent"),
        },
    )
