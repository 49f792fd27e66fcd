"""The form of an agreement: what was agreed, as far as it is known."""

from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Literal

import streamlit as st

from app.contract.agreements import MAX_NOTICE, Agreement
from components.agreements.agreement_words import RENEWAL_LABELS, UNIT_LABELS
from components.elements.form_fields import mark_required, read_fields, set_defaults
from components.elements.form_inputs import (
    draw_amount_field,
    draw_choice_field,
    draw_day_field,
    draw_number_field,
    draw_text_field,
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
        set_defaults(key, read_values(agreement))
    st.caption("Leave out what you do not know: it is listed as missing, and no date is made of it.")
    draw_fields(key=key, faults=wrong, names=FIELDS)


def draw_fields(
    *, key: str, faults: Mapping[str, str], names: Collection[str], columns: Literal[2, 3] = 2
) -> None:
    """Draw these fields of the form, in its order."""
    # At half a window the names of agreements and choices need the whole width.
    with st.grid(columns, min_column_width=320):
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


_Drawer = Callable[[str, str, Mapping[str, str]], None]
_FIELD_DRAWERS: Mapping[str, _Drawer] = {
    "name": partial(draw_text_field, mark_required("Name")),
    "supplierName": partial(draw_text_field, "Supplier"),
    "termStart": partial(draw_day_field, "First day"),
    "termEnd": partial(draw_day_field, "Last day of the first term"),
    "renewalType": partial(draw_choice_field, RENEWAL_LABELS, "What happens at the end"),
    "autoRenewalTermMonths": partial(draw_number_field, "Renewal term", most=1200),
    "notice-value": partial(draw_number_field, "Notice period", least=0, most=MAX_NOTICE),
    "notice-unit": partial(draw_choice_field, UNIT_LABELS, "Notice is counted in"),
    "deliveryBufferDays": partial(draw_number_field, "Days for its delivery", least=0, most=365),
    "maxRenewals": partial(draw_number_field, "Renews at most so many times", least=0, most=1000),
    "noticeGivenOn": partial(draw_day_field, "Notice was given on"),
    "currency": partial(draw_text_field, "Currency", placeholder="USD", most=3),
    "totalValue": partial(draw_amount_field, "Total of the first term", help="Before tax."),
    "oneTimeValue": partial(draw_amount_field, "Of it paid once"),
    "owner-name": partial(draw_text_field, "Owner", most=200),
    "owner-email": partial(draw_text_field, "Owner's email", most=254),
    "reference": partial(draw_text_field, "Contract number", most=200),
    "costCenter": partial(draw_text_field, "Cost centre", most=200),
}
"""How each field of the form is drawn, with its name, the form's key and the faults."""
