"""The form of what is not known of one agreement, to be filled in where it is listed."""

from collections.abc import Mapping, Sequence

import streamlit as st

from app.contract.agreements import Agreement
from app.contract.missing_details import MissingField
from components.agreements.agreement_form import draw_fields, read_values
from components.agreements.agreement_words import label_field
from components.elements.form_fields import read_fields
from components.formatting.counts import format_count

_PARTS: Mapping[str, Sequence[str]] = {
    "owners": ("owner-name", "owner-email"),
    "noticePeriod": ("notice-value", "notice-unit"),
    # What happens at the end decides whether the others are needed: they are asked for at once.
    "renewalType": ("renewalType", "autoRenewalTermMonths", "notice-value", "notice-unit"),
}
"""The fields of the form for a missing field, where they are not the one of its name."""


def list_missing_fields(agreement: Agreement) -> list[str]:
    """Return the fields of the form that ask for what is missing, each once, and for nothing known."""
    known = read_values(agreement)
    names = (part for name in agreement.missing for part in _PARTS.get(name, (name,)))
    return [name for name in dict.fromkeys(names) if known.get(name) is None]


def draw_missing_form(agreement: Agreement, *, key: str, faults: Mapping[str, str]) -> None:
    """Draw a field for each thing that is missing; `faults` are those of the last attempt."""
    draw_fields(key=key, faults=faults, names=list_missing_fields(agreement), columns=3)
    if faults.get(""):
        st.caption(faults[""])


def read_missing_form(agreement: Agreement, *, key: str) -> dict[str, object]:
    """Return what the form under `key` holds at this moment, beside what is on record."""
    return {**read_values(agreement), **read_fields(key, list_missing_fields(agreement))}


def draw_missing_counts(fields: Sequence[MissingField], without_deadline: int) -> None:
    """Draw how many deadlines cannot be computed, and because of what."""
    if not without_deadline:
        st.caption("Every deadline can be computed; what is missing here is for reminders and comparisons.")
        return
    causes = ", ".join(
        f"{label_field(one.field).lower()} ({one.deadlines:,})" for one in fields if one.deadlines
    )
    st.warning(
        f"**{format_count(without_deadline, 'deadline')} cannot be computed.** Not known: {causes}.",
        icon=":material/event_busy:",
    )
