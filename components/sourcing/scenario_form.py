"""The form of a scenario: what the award is to reach, and what it must keep to."""

from collections.abc import Mapping, Sequence

import streamlit as st

from components.elements.form_fields import draw_fault, read_fields, set_default
from components.elements.form_inputs import draw_amount_field, draw_number_field
from components.elements.table import Row, edit_rows, read_edited_rows
from components.sourcing.scenario_words import EXPLANATIONS, OBJECTIVES

FIELDS = ("objective", "maxSuppliers", "maxShare", "excludedQuotes", "keepQuotes", "wholeBundles")
LINE, SUPPLIER = "Line", "Goes to"


def draw_scenario_form(*, key: str, names: Mapping[str, str], faults: Mapping[str, str]) -> str:
    """Draw the form and return the objective; `names` are those of the quotes by id."""
    set_default(f"{key}/objective", "cheapest_split")
    objective = st.radio(
        "What it is to reach",
        list(OBJECTIVES),
        format_func=lambda one: OBJECTIVES[one],
        captions=list(EXPLANATIONS.values()),
        horizontal=True,
        key=f"{key}/objective",
    )
    with st.grid(2, min_column_width=240):
        draw_number_field("At most so many suppliers", "maxSuppliers", key, faults, most=20)
        draw_amount_field(
            "Largest share of one supplier in %",
            "maxShare",
            key,
            faults,
            help="Of the awarded amount, before discounts.",
        )
        _draw_quotes("Nothing goes to", "excludedQuotes", key, names, faults)
        _draw_quotes("Something goes to", "keepQuotes", key, names, faults)
    st.checkbox("Bundles are awarded whole or not at all", key=f"{key}/wholeBundles")
    return objective


def draw_award_editor(rows: Sequence[Row], suppliers: Sequence[str], *, key: str, fault: str | None) -> None:
    """Draw the award by hand: a supplier for each line, none where it stays open."""
    edit_rows(
        rows,
        key=f"{key}/award",
        alt="Who gets which line",
        columns={
            LINE: st.column_config.TextColumn(width="large"),
            SUPPLIER: st.column_config.SelectboxColumn(options=list(suppliers), width="medium"),
        },
        fixed=(LINE,),
        grows=False,
    )
    draw_fault(fault)


def read_scenario_form(*, key: str) -> dict[str, object]:
    """Return what the form holds at this moment."""
    return read_fields(key, FIELDS)


def read_award_editor(rows: Sequence[Row], *, key: str) -> list[Row]:
    """Return the award by hand as it is at this moment."""
    return read_edited_rows(rows, key=f"{key}/award")


def _draw_quotes(
    label: str, name: str, key: str, names: Mapping[str, str], faults: Mapping[str, str]
) -> None:
    with st.container(gap="xsmall"):
        st.multiselect(
            label,
            list(names),
            format_func=lambda one: names.get(one, one),
            key=f"{key}/{name}",
            placeholder="Choose suppliers",
        )
        draw_fault(faults.get(name))
