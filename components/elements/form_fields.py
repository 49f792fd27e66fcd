"""What all forms share: the values of their fields in the session, amounts, and the fault below a field.

A field of the form `key` has the session key `key/name`.
"""

from collections.abc import Iterable, Mapping
from datetime import date
from decimal import Decimal
from typing import cast

import streamlit as st

from app.contract.values import MAX_AMOUNT
from components.formatting.texts import escape_markdown

Fields = Mapping[str, object]
"""The values of the fields of a form by name; None or missing where a field is empty."""

AMOUNT_FAULT = "More than 0 and less than one trillion."


def read_fields(key: str, names: Iterable[str]) -> dict[str, object]:
    """Return what the fields of the form `key` hold at this moment."""
    state = cast(Mapping[str, object], st.session_state)
    return {name: state.get(f"{key}/{name}") for name in names}


def clear_fields(key: str, names: Iterable[str]) -> None:
    """Empty fields of the form `key`. To be called before they are drawn. They are set and not forgotten: the
    browser keeps what was typed into a field that the session forgot."""
    for name in names:
        st.session_state[f"{key}/{name}"] = None


def forget_fields(key: str, names: Iterable[str]) -> None:
    """Forget fields of the form `key`, which is not drawn any more."""
    for name in names:
        st.session_state.pop(f"{key}/{name}", None)


def set_default(key: str, value: object) -> None:
    """Set the value of a widget that has none yet; a value of None sets nothing."""
    if key not in st.session_state and value is not None:
        st.session_state[key] = value


def get_text(fields: Fields, name: str) -> str:
    """Return the text of a field without surrounding spaces."""
    value = fields.get(name)
    return value.strip() if isinstance(value, str) else ""


def get_number(fields: Fields, name: str) -> float | None:
    """Return the number in a field."""
    value = fields.get(name)
    return value if isinstance(value, int | float) else None


def get_amount(fields: Fields, name: str) -> Decimal | None:
    """Return the number in a field with the decimals that were entered."""
    number = get_number(fields, name)
    return None if number is None else Decimal(str(number))


def get_months(fields: Fields, name: str) -> int | None:
    """Return the whole number in a field."""
    value = fields.get(name)
    return value if isinstance(value, int) else None


def get_date(fields: Fields, name: str) -> date | None:
    """Return the date in a field."""
    value = fields.get(name)
    return value if isinstance(value, date) else None


def is_valid_amount(amount: Decimal | None) -> bool:
    """Return whether an amount can be sent; if not, `AMOUNT_FAULT` says why."""
    return amount is not None and 0 < amount < MAX_AMOUNT


def mark_required(label: str) -> str:
    """Return the label of a field that must be filled in. The star stands free, where Markdown takes it for
    itself: a backslash before it would be read out, as the browser names a field by the label as it is."""
    return f"{label} *"


def draw_amount_input(
    label: str, *, key: str, help: str | None = None, placeholder: str | None = None
) -> float | None:
    """Draw a field for money, empty at first, and return the amount."""
    return st.number_input(
        label,
        value=None,
        step=0.01,
        format="%g",
        key=key,
        help=help,
        placeholder=placeholder,
        persist_state="page",
    )


def draw_fault(fault: str | None) -> None:
    """Draw what is wrong with a field below it; nothing for None."""
    if fault:
        st.caption(f":red[:material/error: {escape_markdown(fault)}]")
