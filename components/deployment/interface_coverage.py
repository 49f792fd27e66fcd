"""The table of operations that a deployment offers."""

from collections.abc import Mapping, Sequence

import streamlit as st

from components.elements.table import draw_table


def draw_interface_coverage(interface: Mapping[str, bool], extensions: Sequence[str]) -> None:
    """Draw a row for each operation of the interface, with whether the deployment offers it, then one for
    each of its extensions."""
    rows = [_make_row(operation, "interface", offered) for operation, offered in interface.items()]
    rows += [_make_row(operation, "extension", True) for operation in extensions]
    draw_table(
        rows,
        key="offered-interface",
        alt=f"{len(rows)} operations and whether the deployment offers them",
        columns={
            "Method": st.column_config.TextColumn(width="small"),
            "Path": st.column_config.TextColumn(width="large"),
            "Part of": st.column_config.TextColumn(),
            "Offered": st.column_config.CheckboxColumn(),
        },
    )


def _make_row(operation: str, part: str, offered: bool) -> dict[str, object]:
    method, _, path = operation.partition(" ")
    return {"Method": method, "Path": path.replace("{}", "{id}"), "Part of": part, "Offered": offered}
