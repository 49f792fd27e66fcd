"""The form by which a person sets opening, target and walk-away, with a note."""

from collections.abc import Mapping

import streamlit as st

from components.elements.form_fields import (
    clear_fields,
    draw_amount_input,
    draw_fault,
    mark_required,
    read_fields,
)

NUMBER_LABELS = {"opening": "Opening", "target": "Target", "walk_away": "Walk-away"}


def draw_strategy_form(*, key: str, faults: Mapping[str, str] | None = None) -> None:
    """Draw the empty form: a field that stays empty changes nothing. `read_strategy_form` returns what was
    entered."""
    wrong = faults or {}
    for column, (name, label) in zip(st.columns(3), NUMBER_LABELS.items(), strict=True):
        with column:
            draw_amount_input(
                label,
                key=f"{key}/{name}",
                help="Before tax, for the whole term. Leave empty to keep the current number.",
            )
            draw_fault(wrong.get(name))
    st.text_input(mark_required("Reason"), key=f"{key}/note", max_chars=2000, persist_state="page")
    draw_fault(wrong.get("note"))


def read_strategy_form(*, key: str) -> dict[str, object]:
    """Return what the form under `key` holds at this moment."""
    return read_fields(key, (*NUMBER_LABELS, "note"))


def clear_strategy_form(*, key: str) -> None:
    """Empty the form after its content was sent."""
    clear_fields(key, (*NUMBER_LABELS, "note"))
