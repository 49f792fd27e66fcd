"""The list of what is not known of agreements, each with a form that fills it in."""

from functools import partial

import streamlit as st

from app.contract.agreements import Agreement
from app.contract.missing_details import MissingDetailsPage, MissingName
from app.dashboard import navigation
from app.dashboard.agreements.agreement_forms import make_missing_form
from app.dashboard.api import agreement_queries, queries
from app.dashboard.deployment import Deployment
from app.dashboard.kit.filtered_list import ChoiceFilter, Empty, FilteredList
from components.agreements.agreement_words import FIELD_LABELS, format_value
from components.agreements.missing_counts import draw_missing_counts

NAMES: tuple[MissingName, ...] = (
    *("termEnd", "renewalType", "noticePeriod", "autoRenewalTermMonths", "owners"),
    *("totalValue", "currency", "supplierName", "termStart"),
)
FIELD_FILTER = ChoiceFilter(
    "What is not known",
    "missing-field",
    {"Anything": None, **{FIELD_LABELS[name]: name for name in NAMES}},
    "field",
)


def draw_missing_details(deployment: Deployment) -> None:
    """Draw how many deadlines cannot be computed, and the agreements of which something is not known, those
    that cost most each year first. Needs `GET /v1/missing-details`."""
    FilteredList(
        key="missing-page",
        noun="contract",
        load=partial(agreement_queries.load_missing_details, deployment),
        draw=partial(_draw_page, deployment),
        filters=(FIELD_FILTER,),
        rows=5,
        empty=Empty(
            "Nothing is missing",
            "Every contract that has not ended says all that its dates, a reminder and a comparison need.",
            icon="task_alt",
        ),
        no_match=Empty(
            "Nothing is missing", "This is known of every contract that has not ended.", icon="task_alt"
        ),
    ).show()


def _draw_page(deployment: Deployment, page: MissingDetailsPage) -> None:
    draw_missing_counts(page.fields, page.without_deadline)
    can_change = queries.has_operation(deployment, "PATCH /v1/agreements/{}")
    for one in page.data:
        with st.container(border=True):
            _draw_row(deployment, one, can_change=can_change)


def _draw_row(deployment: Deployment, one: Agreement, *, can_change: bool) -> None:
    yearly, total = format_value(one, one.annualized_value), format_value(one, one.total_value)
    value = f"{yearly} per year" if yearly else total and f"{total} in all"
    notes = [one.supplier_name, value, None if one.act_by else "no deadline"]
    note = " · ".join(filter(None, notes))
    navigation.draw_link_with_note("agreement", one.name, note, icon=":material/contract:", id=one.id)
    if not can_change:
        missing = ", ".join(FIELD_LABELS.get(name, name).lower() for name in one.missing)
        st.caption(f"Not known: {missing}.")
        return

    form = make_missing_form(deployment, one)
    form.draw(columns=3)
    form.draw_button(
        "Save",
        send=lambda client, change, _: client.agreements.update(one.id, change),
        what="Saving what was missing",
        icon=":material/save:",
        type="secondary",
    )
