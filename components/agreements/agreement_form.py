"""The form of an agreement: what was agreed, as far as it is known."""

from collections.abc import Mapping
from datetime import date

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
    *("name", "supplierName", "termStart", "termEnd", "renewalType", "autoRenewalTermMonths", "maxRenewals"),
    *("notice-value", "notice-unit", "deliveryBufferDays", "noticeGivenOn", "currency", "totalValue"),
    *("oneTimeValue", "owner-name", "owner-email", "costCenter"),
)
"""The fields of the form: those of an agreement by their names on the wire, and parts of its lists."""


def draw_agreement_form(
    *, key: str, faults: Mapping[str, str] | None = None, agreement: Agreement | None = None
) -> None:
    """Draw the form, at first with what is on record of an agreement; `faults` are those of the last attempt.
    `read_agreement_form` returns what was entered."""
    wrong = faults or {}
    if agreement is not None:
        for name, value in _read_values(agreement).items():
            set_default(f"{key}/{name}", value)
    st.caption("Leave out what you do not know: it is listed as missing, and no date is made of it.")
    with st.grid(2, min_column_width=260):
        _draw_text(mark_required("Name"), "name", key, wrong)
        _draw_text("Supplier", "supplierName", key, wrong)
        _draw_day("First day", "termStart", key, wrong)
        _draw_day("Last day of the first term", "termEnd", key, wrong)
        _draw_choice("What happens at the end", "renewalType", RENEWAL_LABELS, key, wrong)
        _draw_number("Months of a renewal", "autoRenewalTermMonths", key, wrong, most=1200)
        _draw_number("Notice period", "notice-value", key, wrong, least=0, most=MAX_NOTICE)
        _draw_choice("Notice is counted in", "notice-unit", UNIT_LABELS, key, wrong)
        _draw_number("Days for its delivery", "deliveryBufferDays", key, wrong, least=0, most=365)
        _draw_number("Renews at most so many times", "maxRenewals", key, wrong, least=0, most=1000)
        _draw_day("Notice was given on", "noticeGivenOn", key, wrong)
        _draw_text("Currency", "currency", key, wrong, placeholder="USD", most=3)
        _draw_amount("Total of the first term", "totalValue", key, wrong, help="Before tax.")
        _draw_amount("Of it paid once", "oneTimeValue", key, wrong)
        _draw_text("Owner", "owner-name", key, wrong, most=200)
        _draw_text("Owner's email", "owner-email", key, wrong, most=254)
        _draw_text("Cost centre", "costCenter", key, wrong, most=200)


def read_agreement_form(*, key: str) -> dict[str, object]:
    """Return what the form under `key` holds at this moment."""
    return read_fields(key, FIELDS)


def _read_values(agreement: Agreement) -> dict[str, object]:
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
    label: str, name: str, choices: Mapping[str, str], key: str, faults: Mapping[str, str]
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


def example() -> None:
    draw_agreement_form(
        key="example-agreement",
        faults={"termEnd": "The end is before the start."},
        agreement=make_agreement(termStart=date(2026, 1, 1)),
    )
