"""The record that a form of changes was filled with, while somebody else may change it too.

What differs from that record is what the reader changed; what differs from the record as it is now may be
what somebody else has changed since, and is not sent.
"""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import streamlit as st

from app.dashboard.session_values import SessionValue
from components.elements.form_fields import Fields, forget_fields, read_fields

Record = TypeVar("Record")


def begin_change(form: str, on_record: Record, *, values_of: Callable[[Record], Fields], what: str) -> Record:
    """Return the record that the form `form` was filled with. To be called before its fields are drawn.

    A form in which nothing was changed is filled again when the record was changed elsewhere; above one that
    holds changes it is said. `values_of` gives the values of the fields by name, `what` is what the record is
    called.
    """
    begun = _begun(form)
    filled_with: Record = begun.get_or_set(on_record)
    before, now = values_of(filled_with), values_of(on_record)
    if before == now:
        return filled_with
    if _is_untouched(read_fields(form, before), before):
        for name, value in now.items():
            st.session_state[f"{form}/{name}"] = value
        begun.set(on_record)
        return on_record
    st.caption(f"Somebody has changed this {what} meanwhile. Saving changes only what you change here.")
    return filled_with


def end_change(form: str, names: Iterable[str]) -> None:
    """Forget the fields of the form, and what it was filled with."""
    forget_fields(form, names)
    _begun(form).pop()


def _begun(form: str) -> SessionValue[Any]:
    """The record that the form was filled with."""
    return SessionValue[Any](f"{form}.begun", None)


def _is_untouched(fields: Fields, filled: Fields) -> bool:
    """Return whether the form holds nothing yet, or what it was filled with."""
    if all(value is None for value in fields.values()):
        return True
    return all((fields[name] or None) == (value or None) for name, value in filled.items())
