"""Tables of figures, on a canvas; rows that open a page are in a `record_table`. Only this module uses
`st.dataframe`, which is untyped."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import TypedDict, cast

import pandas as pd
import streamlit as st
from streamlit.elements.lib.column_types import ButtonColumnResult, ColumnConfig

from app.contract.money import count_decimals

Row = Mapping[str, object]
"""The cells of a row by column; a cell may be missing."""

Columns = Mapping[str, ColumnConfig | ButtonColumnResult]
"""The columns of a table in their order. The name is the label unless the configuration has another."""


def draw_table(rows: Sequence[Row], *, key: str, alt: str, columns: Columns) -> None:
    """Draw `rows` with `columns` (name to column configuration) in that order."""
    st.dataframe(  # pyright: ignore[reportUnknownMemberType]
        _frame(rows, columns), key=key, alt=alt, hide_index=True, column_config=dict(columns), placeholder="—"
    )


def edit_table(
    rows: Sequence[Row], *, key: str, alt: str, columns: Columns, editable: Sequence[str]
) -> list[Row]:
    """Draw `rows` with `editable` columns and return the rows as they are now."""
    fixed = [name for name in columns if name not in editable]
    edit_rows(rows, key=key, alt=alt, columns=columns, fixed=fixed, grows=False, placeholder="—")
    return read_edited_rows(rows, key=key)


def edit_rows(
    rows: Sequence[Row],
    *,
    key: str,
    alt: str,
    columns: Columns,
    fixed: Sequence[str],
    grows: bool,
    placeholder: str = "",
) -> None:
    """Draw `rows` to be changed, all columns but the `fixed` ones, and where the table `grows` to be added to
    and removed. `read_edited_rows` returns what they are at any moment; rows are pasted from a spreadsheet as
    well."""
    st.data_editor(  # pyright: ignore[reportUnknownMemberType]
        _frame(rows, columns),
        key=key,
        alt=alt,
        hide_index=True,
        column_config=dict(columns),
        disabled=list(fixed),
        num_rows="dynamic" if grows else "fixed",
        placeholder=placeholder,
    )


def read_edited_rows(rows: Sequence[Row], *, key: str) -> list[Row]:
    """Return the rows of the editor `key`, which was drawn with `rows`, as they are at this moment."""
    state = cast(_EditState, st.session_state.get(key) or {})
    changed = {int(place): cells for place, cells in state.get("edited_rows", {}).items()}
    removed = {int(place) for place in state.get("deleted_rows", ())}
    kept = [{**row, **changed.get(place, {})} for place, row in enumerate(rows) if place not in removed]
    return [*kept, *state.get("added_rows", ())]


class _EditState(TypedDict, total=False):
    """What Streamlit keeps of a data editor."""

    edited_rows: Mapping[int | str, Row]
    added_rows: Sequence[Row]
    deleted_rows: Sequence[int]


def drop_empty_columns(
    columns: Columns, rows: Sequence[Row], optional: Collection[str] | None = None
) -> Columns:
    """Return the columns without those that no row fills. Only `optional` ones are dropped, if given."""
    return {
        name: column
        for name, column in columns.items()
        if (optional is not None and name not in optional) or any(row.get(name) is not None for row in rows)
    }


def make_money_column(label: str, currency: str, amounts: Iterable[Decimal | float | None]) -> ColumnConfig:
    """Return a column of amounts, sorted as numbers, in the form of `format_money` and with the decimals of
    that amount which has the most."""
    decimals = max((count_decimals(amount) for amount in amounts if amount is not None), default=0)
    form = f"{currency} %,.{decimals}f".strip()
    return st.column_config.NumberColumn(label, format=form)


def to_number(value: Decimal | None) -> float | None:
    """Return an amount as the number of a cell."""
    return None if value is None else float(value)


def _frame(rows: Sequence[Row], columns: Iterable[str]) -> pd.DataFrame:
    # Without a row pandas takes each column for one of numbers, in which no text could be written.
    return pd.DataFrame(
        {name: [row.get(name) for row in rows] for name in columns}, dtype=None if rows else object
    )
