"""Tables of records. Only this module and `clickable_table` use `st.dataframe`, which is untyped."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

Row = Mapping[str, Any]


def draw_table(
    rows: Sequence[Row], *, key: str, alt: str, columns: Mapping[str, Any], height: int | None = None
) -> None:
    """Draw `rows` with `columns` (name to column configuration) in that order."""
    st.dataframe(  # pyright: ignore[reportUnknownMemberType]
        _frame(rows, columns),
        key=key,
        alt=alt,
        hide_index=True,
        column_config=dict(columns),
        placeholder="—",
        height="auto" if height is None else height,
    )


def edit_table(
    rows: Sequence[Row], *, key: str, alt: str, columns: Mapping[str, Any], editable: Sequence[str]
) -> list[dict[str, Any]]:
    """Draw `rows` with `editable` columns and return the rows as they are now."""
    edited: pd.DataFrame = st.data_editor(  # pyright: ignore[reportUnknownMemberType]
        _frame(rows, columns),
        key=key,
        alt=alt,
        hide_index=True,
        column_config=dict(columns),
        disabled=[name for name in columns if name not in editable],
        num_rows="fixed",
        placeholder="—",
    )
    return [{str(name): value for name, value in row.items()} for row in edited.to_dict("records")]


def _frame(rows: Sequence[Row], columns: Iterable[str]) -> pd.DataFrame:
    return pd.DataFrame({name: [row.get(name) for row in rows] for name in columns})
