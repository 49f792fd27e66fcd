"""What must be done about contracts: the most urgent first, each with its money and the buttons for it."""

from datetime import UTC, date, datetime, timedelta
from functools import partial

import streamlit as st

from app.client import ScopedClient
from app.contract.agreements import Agreement, AgreementPage, CalendarFeed, DeletedCalendarFeed, NewDecision
from app.dashboard import navigation
from app.dashboard.agreements.renewal import draw_decision_popover, draw_renewal
from app.dashboard.api import agreement_queries, queries
from app.dashboard.api.write_button import write_button
from app.dashboard.deployment import Deployment
from app.dashboard.kit.filtered_list import ChoiceFilter, Empty, FilteredList
from app.dashboard.session_values import SessionValue
from components.agreements.agreement_words import label_due
from components.formatting.counts import format_date
from components.formatting.datetimes import draw_timestamp
from components.formatting.texts import escape_markdown

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
                "I have added it", key="calendar-added", on_click=_forget_address, icon=":material/check:"
            )
        else:
            write_button(
                deployment,
                "Make an address",
                name="calendar-feed",
                what="Making a calendar address",
                write=lambda client, key: client.agreements.create_calendar_feed(idempotency_key=key),
                on_success=_keep_address,
                icon=":material/link:",
            )
        for feed in agreement_queries.load_calendar_feeds(deployment, limit=MOST_LISTED).data:
            with st.container(horizontal=True, vertical_alignment="center"):
                draw_timestamp(f"Address of {feed.made_by or 'nobody known'}, made", feed.created_at)
                if feed.used_at is not None:
                    draw_timestamp("last read", feed.used_at)
                write_button(
                    deployment,
                    "Revoke",
                    name=f"revoke-{feed.id}",
                    what="Revoking the address",
                    write=partial(_revoke, feed.id),
                    on_success=lambda _: _forget_address(),
                    icon=":material/link_off:",
                )


def _keep_address(feed: CalendarFeed) -> None:
    ADDRESS.set(feed.url)


def _forget_address() -> None:
    ADDRESS.pop()


def _revoke(feed_id: str, client: ScopedClient, _: str) -> DeletedCalendarFeed:
    return client.agreements.revoke_calendar_feed(feed_id)


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
        load=partial(agreement_queries.load_renewals, deployment),
        draw=partial(_draw_page, deployment),
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


def _draw_page(deployment: Deployment, page: AgreementPage) -> None:
    today = datetime.now(UTC).date()
    for one in page.data:
        with st.container(border=True, gap="xsmall", key=f"act-{one.id}"):
            _draw_row(deployment, one, today)


def _draw_row(deployment: Deployment, one: Agreement, today: date) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        navigation.draw_link("agreement", f"**{escape_markdown(one.name)}**", id=one.id)
        label, colour = label_due(one, today)
        st.badge(label, color=colour)
        if one.supplier_name:
            st.caption(escape_markdown(one.supplier_name), width="content")
    st.markdown(escape_markdown(one.action or one.statement))
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        draw_renewal(deployment, one)
        if queries.has_operation(deployment, "POST /v1/agreements/{}/decision"):
            draw_decision_popover(deployment, one)
            _draw_put_off(deployment, one, today)
        if one.status == "unknown":
            navigation.draw_link(
                "agreement",
                "Add what is not known",
                icon=":material/edit:",
                id=one.id,
                **{"agreement-tab": "Change"},
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
        icon=":material/snooze:",
        type="tertiary",
    )
