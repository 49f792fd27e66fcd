"""The form of an agreement: what was agreed, as far as it is known."""

from collections.abc import Callable, Collection, Mapping
from datetime import date
from functools import partial
from typing import Literal

import streamlit as st

from app.contract.agreements import EARLIEST_DAY, LATEST_DAY, MAX_NOTICE, Agreement
from components.agreements.agreement_words import RENEWAL_LABELS, UNIT_LABELS
from components.agreements.fixtures import make_agreement
from components.elements.form_fields import (
    draw_amount_input,
    draw_fault,
    mark_required,
    read_fields,
    set_default,
)

FIELDS = (
    *("name", "supplierName", "termStart", "termEnd", "renewalType", "autoRenewalTermMonths"),
    *("notice-value", "notice-unit", "deliveryBufferDays", "maxRenewals", "noticeGivenOn", "currency"),
    *("totalValue", "oneTimeValue", "owner-name", "owner-email", "reference", "costCenter"),
)
"""The fields of the form: those of an agreement by their names on the wire, and parts of its lists."""


def draw_agreement_form(
    *, key: str, faults: Mapping[str, str] | None = None, agreement: Agreement | None = None
) -> None:
    """Draw the form, at first with what is on record of an agreement; `faults` are those of the last attempt.
    `read_agreement_form` returns what was entered."""
    wrong = faults or {}
    if agreement is not None:
        for name, value in read_values(agreement).items():
            set_default(f"{key}/{name}", value)
    st.caption("Leave out what you do not know: it is listed as missing, and no date is made of it.")
    draw_fields(key=key, faults=wrong, names=FIELDS)


def draw_fields(
    *, key: str, faults: Mapping[str, str], names: Collection[str], columns: Literal[2, 3] = 2
) -> None:
    """Draw these fields of the form, in its order."""
    with st.grid(columns, min_column_width=240):
        for name in FIELDS:
            if name in names:
                _FIELD_DRAWERS[name](name, key, faults)


def read_agreement_form(*, key: str) -> dict[str, object]:
    """Return what the form under `key` holds at this moment."""
    return read_fields(key, FIELDS)


def read_values(agreement: Agreement) -> dict[str, object]:
    """Return what is on record of an agreement, by the fields of the form."""
    record = agreement.model_dump(by_alias=True)
    values: dict[str, object] = {name: record.get(name) for name in FIELDS}
    for name in ("totalValue", "oneTimeValue"):
        values[name] = None if values[name] is None else float(str(values[name]))
    if agreement.notice_period is not None:
        values |= {"notice-value": agreement.notice_period.value, "notice-unit": agreement.notice_period.unit}
    if agreement.owners:
        values |= {"owner-name": agreement.owners[0].name, "owner-email": agreement.owners[0].email}
    return values


def _draw_text(
    label: str, name: str, key: str, faults: Mapping[str, str], *, placeholder: str = "", most: int = 500
) -> None:
    with st.container(gap="xsmall"):
        st.text_input(
            label, key=f"{key}/{name}", max_chars=most, placeholder=placeholder, persist_state="page"
        )
        draw_fault(faults.get(name))


def _draw_day(label: str, name: str, key: str, faults: Mapping[str, str]) -> None:
    with st.container(gap="xsmall"):
        st.date_input(
            label,
            value=None,
            min_value=EARLIEST_DAY,
            max_value=LATEST_DAY,
            key=f"{key}/{name}",
            format="YYYY-MM-DD",
            persist_state="page",
        )
        draw_fault(faults.get(name))


def _draw_number(
    label: str, name: str, key: str, faults: Mapping[str, str], *, least: int = 1, most: int
) -> None:
    with st.container(gap="xsmall"):
        st.number_input(
            label,
            value=None,
            min_value=least,
            max_value=most,
            step=1,
            key=f"{key}/{name}",
            persist_state="page",
        )
        draw_fault(faults.get(name))


def _draw_choice(
    choices: Mapping[str, str], label: str, name: str, key: str, faults: Mapping[str, str]
) -> None:
    with st.container(gap="xsmall"):
        st.selectbox(
            label,
            list(choices),
            index=None,
            format_func=lambda each: choices.get(each, each),
            key=f"{key}/{name}",
            placeholder="Not known",
            persist_state="page",
        )
        draw_fault(faults.get(name))


def _draw_amount(
    label: str, name: str, key: str, faults: Mapping[str, str], *, help: str | None = None
) -> None:
    with st.container(gap="xsmall"):
        draw_amount_input(label, key=f"{key}/{name}", help=help)
        draw_fault(faults.get(name))


_Drawer = Callable[[str, str, Mapping[str, str]], None]
_FIELD_DRAWERS: Mapping[str, _Drawer] = {
    "name": partial(_draw_text, mark_required("Name")),
    "supplierName": partial(_draw_text, "Supplier"),
    "termStart": partial(_draw_day, "First day"),
    "termEnd": partial(_draw_day, "Last day of the first term"),
    "renewalType": partial(_draw_choice, RENEWAL_LABELS, "What happens at the end"),
    "autoRenewalTermMonths": partial(_draw_number, "Months of a renewal", most=1200),
    "notice-value": partial(_draw_number, "Notice period", least=0, most=MAX_NOTICE),
    "notice-unit": partial(_draw_choice, UNIT_LABELS, "Notice is counted in"),
    "deliveryBufferDays": partial(_draw_number, "Days for its delivery", least=0, most=365),
    "maxRenewals": partial(_draw_number, "Renews at most so many times", least=0, most=1000),
    "noticeGivenOn": partial(_draw_day, "Notice was given on"),
    "currency": partial(_draw_text, "Currency", placeholder="USD", most=3),
    "totalValue": partial(_draw_amount, "Total of the first term", help="Before tax."),
    "oneTimeValue": partial(_draw_amount, "Of it paid once"),
    "owner-name": partial(_draw_text, "Owner", most=200),
    "owner-email": partial(_draw_text, "Owner's email", most=254),
    "reference": partial(_draw_text, "Contract number", most=200),
    "costCenter": partial(_draw_text, "Cost centre", most=200),
}
"""How each field of the form is drawn, with its name, the form's key and the faults."""


def example() -> None:
    draw_agreement_form(
        key="example-agreement",
        faults={"termEnd": "The end is before the start."},
        agreement=make_agreement(termStart=date(2026, 1, 1)),
    )
