"""The list of what is not known of agreements, each with a form that fills it in."""

from functools import partial

import streamlit as st

from app.client import ScopedClient
from app.contract.agreements import Agreement, AgreementChange
from app.contract.missing_details import MissingDetailsPage, MissingName
from app.dashboard import navigation
from app.dashboard.agreements.agreement_validation import validate_change
from app.dashboard.api import agreement_queries, queries
from app.dashboard.deployment import Deployment
from app.dashboard.kit.filtered_list import load_list_page
from app.dashboard.kit.form import form_button
from app.dashboard.session_values import SessionValue, form_faults
from components.agreements.agreement_words import FIELD_LABELS, format_value
from components.agreements.missing_form import (
    draw_missing_counts,
    draw_missing_form,
    list_missing_fields,
    read_missing_form,
)
from components.elements.empty_state import draw_empty_state
from components.elements.form_fields import forget_fields
from components.elements.page_number import go_to_first_page
from components.elements.pagination_bar import draw_pagination_bar

ROWS = 5
PAGE = "missing-page"
ANYTHING = "Anything"
NAMES: tuple[MissingName, ...] = (
    *("termEnd", "renewalType", "noticePeriod", "autoRenewalTermMonths", "owners"),
    *("totalValue", "currency", "supplierName", "termStart"),
)
CHOICES: dict[str, MissingName | None] = {ANYTHING: None, **{FIELD_LABELS[name]: name for name in NAMES}}
FIELD_FILTER = SessionValue("missing-field", ANYTHING)


def draw_missing_details(deployment: Deployment) -> None:
    """Draw how many deadlines cannot be computed, and the agreements of which something is not known, those
    that cost most each year first. Needs `GET /v1/missing-details`."""
    st.selectbox(
        "What is not known",
        list(CHOICES),
        key=FIELD_FILTER.key,
        bind="query-params",
        on_change=partial(go_to_first_page, PAGE),
        width=320,
    )
    page = load_list_page(PAGE, ROWS, partial(_load_page, deployment))
    if not page.data:
        draw_empty_state(
            "Nothing is missing",
            "Every contract that has not ended says all that its dates, a reminder and a comparison need."
            if FIELD_FILTER.get() == ANYTHING
            else "This is known of every contract that has not ended.",
            icon="task_alt",
        )
        return
    draw_missing_counts(page.fields, page.without_deadline)
    can_change = queries.has_operation(deployment, "PATCH /v1/agreements/{}")
    for one in page.data:
        with st.container(border=True):
            _draw_row(deployment, one, can_change=can_change)
    draw_pagination_bar(page.pagination, PAGE, "contract")


def _load_page(deployment: Deployment, offset: int) -> MissingDetailsPage:
    return agreement_queries.load_missing_details(
        deployment, field=CHOICES[FIELD_FILTER.get()], limit=ROWS, offset=offset
    )


def _draw_row(deployment: Deployment, one: Agreement, *, can_change: bool) -> None:
    yearly, total = format_value(one, one.annualized_value), format_value(one, one.total_value)
    value = f"{yearly} per year" if yearly else total and f"{total} in all"
    notes = [one.supplier_name, value, None if one.act_by else "no deadline"]
    note = " · ".join(filter(None, notes))
    navigation.draw_link_with_note("agreement", one.name, note, icon=":material/contract:", id=one.id)
    form = f"missing-{one.id}"
    if not can_change:
        missing = ", ".join(FIELD_LABELS.get(name, name).lower() for name in one.missing)
        st.caption(f"Not known: {missing}.")
        return

    def send(client: ScopedClient, change: AgreementChange, _: str) -> Agreement:
        return client.agreements.update(one.id, change)

    def finish(_: Agreement) -> None:
        forget_fields(form, list_missing_fields(one))

    draw_missing_form(one, key=form, faults=form_faults(form).get())
    form_button(
        deployment,
        "Save",
        form=form,
        check=lambda: validate_change(read_missing_form(one, key=form), one),
        send=send,
        what="Saving what was missing",
        on_success=finish,
        icon=":material/save:",
        type="secondary",
    )
