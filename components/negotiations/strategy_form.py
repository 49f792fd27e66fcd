"""The form by which a person sets opening, target and walk-away, with a note."""

from collections.abc import Mapping
from itertools import pairwise

import streamlit as st

from app.contract.negotiation import StrategyShown
from components.elements.form_fields import (
    AMOUNT_FAULT,
    Fields,
    clear_fields,
    draw_amount_input,
    draw_fault,
    get_amount,
    get_text,
    is_valid_amount,
    read_fields,
)
from components.formatting.money import format_money
from components.negotiations import external_updates
from components.negotiations.external_updates import EnteredUpdate

NUMBER_LABELS = {"opening": "Opening", "target": "Target", "walk_away": "Walk-away"}


def validate_numbers(typed: Fields, now: StrategyShown, currency: str) -> EnteredUpdate:
    """Return the update, or the faults. The numbers that were entered are compared with those that stay as
    they are `now`. `typed` holds opening, target, walk_away, note."""
    faults: dict[str, str] = {}
    given = {name: amount for name in NUMBER_LABELS if (amount := get_amount(typed, name)) is not None}
    for name, amount in given.items():
        if not is_valid_amount(amount):
            faults[name] = AMOUNT_FAULT
    note = get_text(typed, "note")
    if not note:
        faults["note"] = "Give the reason, for those who read it later."
    if not given:
        faults["target"] = "Enter at least one of the three."
    known = {name: position.amount for name in NUMBER_LABELS if (position := getattr(now, name)) is not None}
    order = {name: amount for name in NUMBER_LABELS if (amount := {**known, **given}.get(name)) is not None}
    names = list(order)
    for lower, upper in pairwise(names):
        if order[lower] > order[upper]:
            wrong = lower if lower in given else upper
            faults.setdefault(
                wrong,
                f"{NUMBER_LABELS[lower]} {format_money(order[lower], currency)} is above"
                f" {NUMBER_LABELS[upper].lower()} {format_money(order[upper], currency)}.",
            )
    if faults:
        return EnteredUpdate(None, faults)
    return EnteredUpdate(
        lambda envelope: external_updates.numbers(envelope, given, note=note, currency=currency), {}
    )


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
    st.text_input("Why \\*", key=f"{key}/note", max_chars=2000, persist_state="page")
    draw_fault(wrong.get("note"))


def read_strategy_form(*, key: str) -> dict[str, object]:
    """Return what the form under `key` holds at this moment."""
    return read_fields(key, (*NUMBER_LABELS, "note"))


def clear_strategy_form(*, key: str) -> None:
    """Empty the form after its content was sent."""
    clear_fields(key, (*NUMBER_LABELS, "note"))


def example() -> None:
    draw_strategy_form(
        key="example-strategy", faults={"note": "Give the reason, for those who read it later."}
    )
