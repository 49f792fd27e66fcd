"""Agreements: what must be done about them, all of them with filters and downloads, and what is not known."""

from datetime import UTC, date, datetime, timedelta
from functools import partial

import streamlit as st

from app.contract.agreements import (
    Agreement,
    AgreementPage,
    AgreementQuery,
    AgreementStatus,
    MissingDetailsPage,
    MissingName,
    NewDecision,
    find_last_day,
)
from app.dashboard import navigation
from app.dashboard.agreements.agreement_forms import draw_decision_popover, draw_renewal, make_missing_form
from app.dashboard.api import queries
from app.dashboard.api.write_button import write_button
from app.dashboard.deployment import Deployment
from app.dashboard.kit.filtered_list import ChoiceFilter, Empty, FilteredList, TextFilter
from app.dashboard.session_values import SessionValue
from app.dashboard.spreadsheets import CSV, XLSX, draw_offered_downloads
from components.agreements.agreement_facts import (
    FIELD_LABELS,
    draw_agreement_table,
    draw_missing_counts,
    format_value,
    label_due,
)
from components.formatting import draw_timestamp, escape_markdown, format_date

_FILES = {
    "csv": ("Download (CSV)", CSV, "A row for each line. An import reads it back."),
    "xlsx": ("Download (XLSX)", XLSX, "The same table as a workbook."),
    "ocds.json": (
        "Download (OCDS)",
        "application/json",
        "Releases of the Open Contracting Data Standard 1.1.",
    ),
}


def draw_agreement_downloads(deployment: Deployment, query: AgreementQuery) -> None:
    """Draw a button for each kind of file that the deployment writes."""

    def load(suffix: str) -> bytes:
        agreements = queries.client_for(deployment).agreements
        exports = {
            "csv": agreements.export_csv,
            "xlsx": agreements.export_xlsx,
            "ocds.json": agreements.export_ocds,
        }
        return exports[suffix](**query).content

    with st.container(horizontal=True):
        draw_offered_downloads(deployment, "GET /v1/agreements", _FILES, load, key="agreements-download")


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
        load=partial(queries.load_missing_details, deployment),
        draw=partial(_draw_missing_page, deployment),
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


def _draw_missing_page(deployment: Deployment, page: MissingDetailsPage) -> None:
    draw_missing_counts(page.fields, page.without_deadline)
    can_change = queries.has_operation(deployment, "PATCH /v1/agreements/{}")
    for one in page.data:
        with st.container(border=True):
            _draw_missing_row(deployment, one, can_change=can_change)


def _draw_missing_row(deployment: Deployment, one: Agreement, *, can_change: bool) -> None:
    yearly, total = format_value(one, one.annualized_value), format_value(one, one.total_value)
    value = f"{yearly} per year" if yearly else total and f"{total} in all"
    notes = [one.supplier_name, value, None if find_last_day(one.status, one.act_by) else "no deadline"]
    note = " · ".join(filter(None, notes))
    navigation.draw_link_with_note("agreement", one.name, note, icon="contract", id=one.id)
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
        icon="save",
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
        load=partial(queries.load_agreements, deployment),
        draw=lambda page: draw_agreement_table(page.data),
        draw_below=lambda _: draw_agreement_downloads(deployment, listing.read_query()),
        filters=(
            TextFilter("Name or supplier", "agreement-name"),
            ChoiceFilter("Status", "agreement-status", STATUSES, "status"),
        ),
        empty=Empty("No contracts yet", "What was agreed appears here.", "contract"),
    )
    listing.show()


MOST_LISTED = 5
ADDRESS = SessionValue[str | None]("calendar-feed-address", None)
"""The address that was made last: it cannot be read again."""


def draw_calendar_subscription(deployment: Deployment) -> None:
    """Draw how to follow the deadlines in a calendar program. Needs `POST /v1/calendar-feeds`."""
    if not queries.has_operation(deployment, "POST /v1/calendar-feeds"):
        return
    with st.expander("In your calendar", icon=":material/calendar_add_on:", expanded=bool(ADDRESS.get())):
        st.caption(
            "A calendar program that subscribes to this address shows each deadline, and reminders 30 and 7"
            " days before it. Whoever has the address reads your deadlines, until you revoke it or whoever"
            " made it has no access any more."
        )
        if address := ADDRESS.get():
            st.code(address, language=None)
            st.button(
                "I have added it",
                key="calendar-added",
                on_click=partial(ADDRESS.set, None),
                icon=":material/check:",
            )
        else:
            write_button(
                deployment,
                "Make an address",
                name="calendar-feed",
                what="Making a calendar address",
                write=lambda client, key: client.agreements.create_calendar_feed(idempotency_key=key),
                on_success=lambda feed: ADDRESS.set(feed.url),
                icon="link",
            )
        for feed in queries.load_calendar_feeds(deployment, limit=MOST_LISTED).data:
            with st.container(horizontal=True, vertical_alignment="center"):
                draw_timestamp(f"Address of {feed.made_by or 'nobody known'}, made", feed.created_at)
                if feed.used_at is not None:
                    draw_timestamp("last read", feed.used_at)
                write_button(
                    deployment,
                    "Revoke",
                    name=f"revoke-{feed.id}",
                    what="Revoking the address",
                    write=lambda client, _, feed=feed: client.agreements.revoke_calendar_feed(feed.id),
                    on_success=lambda _: ADDRESS.set(None),
                    icon="link_off",
                )


HORIZON = ChoiceFilter(
    "To act on within", "act-within", {"30 days": 30, "90 days": 90, "12 months": 365}, "within", "buttons"
)
PUT_OFF = timedelta(days=7)


def draw_act_now(deployment: Deployment) -> None:
    """Draw what must be done within the chosen time. Needs `GET /v1/renewals`."""
    longest = list(HORIZON.choices)[-1]
    listing = FilteredList(
        key="act-page",
        noun="contract",
        load=partial(queries.load_renewals, deployment),
        draw=partial(_draw_urgent_page, deployment),
        filters=(HORIZON,),
        rows=10,
        empty=partial(_make_empty, longest),
        no_match=_make_empty(longest),
    )
    listing.show()
    draw_calendar_subscription(deployment)


def _make_empty(longest: str) -> Empty:
    is_longest = HORIZON.chosen == longest
    return Empty(
        f"Nothing to do within {HORIZON.chosen}",
        "What is decided, put off, or without a known end is in the list of all contracts.",
        "event_available",
        None if is_longest else f"Look {longest} ahead",
        partial(st.session_state.__setitem__, HORIZON.key, longest),
    )


def _draw_urgent_page(deployment: Deployment, page: AgreementPage) -> None:
    today = datetime.now(UTC).date()
    first = next((one for one in page.data if one.stage != "in_progress"), None)
    for one in page.data:
        with st.container(border=True, gap="xsmall", key=f"act-{one.id}"):
            _draw_urgent_row(deployment, one, today, is_first=one is first)


def _draw_urgent_row(deployment: Deployment, one: Agreement, today: date, *, is_first: bool) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        navigation.draw_link("agreement", f"**{escape_markdown(one.name)}**", id=one.id)
        label, colour = label_due(one, today)
        st.badge(label, color=colour)
        if one.supplier_name:
            st.caption(escape_markdown(one.supplier_name), width="content")
    st.markdown(escape_markdown(one.action or one.statement))
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        draw_renewal(deployment, one, type="primary" if is_first else "secondary")
        if queries.has_operation(deployment, "POST /v1/agreements/{}/decision"):
            draw_decision_popover(deployment, one)
            _draw_put_off(deployment, one, today)
        if one.status == "unknown":
            navigation.draw_link(
                "agreement", "Add what is not known", icon="edit", id=one.id, **{"agreement-tab": "Change"}
            )


def _draw_put_off(deployment: Deployment, one: Agreement, today: date) -> None:
    """Draw the button that puts it off for a week, and at most to the last day to act."""
    until = today + PUT_OFF
    if one.act_by is not None and one.act_by >= today:
        until = min(until, one.act_by)
    if until <= today:
        return

    decision = NewDecision(decision="put_off", until=until)
    write_button(
        deployment,
        f"Put off to {format_date(until)}",
        name=f"put-off-{one.id}",
        what="Putting it off",
        write=lambda client, key: client.agreements.decide(one.id, decision, idempotency_key=key),
        on_success=lambda _: st.toast(f"{escape_markdown(one.name)} comes back on {format_date(until)}."),
        icon="snooze",
        type="tertiary",
    )
