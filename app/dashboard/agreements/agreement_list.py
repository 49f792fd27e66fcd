"""The list of agreements with its filters and downloads, and what is not known of each."""

from functools import partial

import streamlit as st

from app.client import FileContent, ScopedClient
from app.contract.agreements import Agreement, AgreementQuery, AgreementStatus
from app.contract.missing_details import MissingDetailsPage, MissingName
from app.dashboard import navigation
from app.dashboard.agreements.agreement_forms import make_missing_form
from app.dashboard.api import agreement_queries, queries
from app.dashboard.deployment import Deployment
from app.dashboard.kit.filtered_list import ChoiceFilter, Empty, FilteredList, TextFilter
from app.dashboard.spreadsheets import CSV, XLSX
from components.agreements.agreement_facts import draw_agreement_table, draw_missing_counts
from components.agreements.agreement_words import FIELD_LABELS, format_value

_FILES = {
    "CSV": ("csv", CSV, "A row for each line. An import reads it back."),
    "XLSX": ("xlsx", XLSX, "The same table as a workbook."),
    "OCDS": ("ocds.json", "application/json", "Releases of the Open Contracting Data Standard 1.1."),
}


def draw_agreement_downloads(deployment: Deployment, query: AgreementQuery) -> None:
    """Draw a button for each kind of file that the deployment writes. One is written when it is pressed."""
    offered = {
        name: file
        for name, file in _FILES.items()
        if queries.has_operation(deployment, f"GET /v1/agreements.{file[0]}")
    }
    with st.container(horizontal=True):
        for name, (suffix, media_type, explanation) in offered.items():
            st.download_button(
                f"Download ({name})",
                partial(_load, deployment, suffix, query),
                f"agreements.{suffix}",
                media_type,
                key=f"agreements-download-{name.lower()}",
                icon=":material/download:",
                help=explanation,
                on_click="ignore",
            )


def _load(deployment: Deployment, suffix: str, query: AgreementQuery) -> bytes:
    return _ask(queries.client_for(deployment), suffix, query).content


def _ask(client: ScopedClient, suffix: str, query: AgreementQuery) -> FileContent:
    if suffix == "csv":
        return client.agreements.export_csv(**query)
    if suffix == "xlsx":
        return client.agreements.export_xlsx(**query)
    return client.agreements.export_ocds(**query)


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


STATUSES: dict[str, AgreementStatus | None] = {
    "Any status": None,
    "Deadline missed": "deadline_missed",
    "Decide soon": "in_notice_window",
    "Active": "active",
    "Not begun": "upcoming",
    "Last day not known": "unknown",
    "Expired": "expired",
    "Ended": "ended",
}


def draw_agreement_listing(deployment: Deployment) -> None:
    """Draw the filters and one page of the agreements, or those of which something is not known, each with
    what it lacks. Needs `GET /v1/agreements`."""
    if queries.has_operation(deployment, "GET /v1/missing-details") and st.toggle(
        "Missing details",
        key="agreement-missing",
        bind="query-params",
        help="Only contracts of which something is not known, with the fields to fill in.",
    ):
        draw_missing_details(deployment)
        return

    listing = FilteredList(
        key="agreements-page",
        noun="contract",
        load=partial(agreement_queries.load_agreements, deployment),
        draw=lambda page: draw_agreement_table(page.data),
        draw_below=lambda _: draw_agreement_downloads(deployment, listing.read_query()),
        filters=(
            TextFilter("Name or supplier", "agreement-name"),
            ChoiceFilter("Status", "agreement-status", STATUSES, "status"),
        ),
        empty=Empty("No contracts yet", "What was agreed appears here.", "contract"),
    )
    listing.show()
