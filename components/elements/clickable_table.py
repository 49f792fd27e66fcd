"""A table whose first column is a button that opens the row."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from components.elements.table import Columns, Row


def draw_clickable_table(
    rows: Sequence[Row],
    *,
    key: str,
    alt: str,
    button_column: str,
    columns: Columns,
    help: str | None = None,
) -> int | None:
    """Draw `rows` with the buttons of `button_column` first, then `columns` (name to column configuration).
    Return the index of the row whose button was pressed in this run, else None."""
    pressed = f"{key}-open"
    names = [button_column, *columns]
    button = st.column_config.ButtonColumn(
        # The arrow shows that names are buttons: a button in a cell has no border until hovered.
        f"{button_column} ›",
        type="tertiary",
        alignment="left",
        key=pressed,
        help=help,
        width="medium",
    )
    with st.container(key=f"{key}-rows"):
        st.dataframe(  # pyright: ignore[reportUnknownMemberType]
            pd.DataFrame([{name: row.get(name) for name in names} for row in rows], columns=names),
            key=key,
            alt=alt,
            hide_index=True,
            column_config={button_column: button, **columns},
            placeholder="—",
            height="auto" if len(rows) < 10 else 36 * (len(rows) + 1) + 3,
            row_height=36,
        )
    click = st.session_state.get(pressed)
    return int(click["row"]) if click and click["row"] < len(rows) else None


def example() -> None:
    draw_clickable_table(
        [{"Company": "Acme Cloud", "Domain": "acme.example"}],
        key="example-pick",
        alt="One company",
        button_column="Company",
        columns={"Domain": st.column_config.TextColumn()},
    )
