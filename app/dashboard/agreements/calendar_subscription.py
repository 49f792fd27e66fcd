"""The addresses at which calendar programs read the deadlines."""

from functools import partial

import streamlit as st

from app.client import ScopedClient
from app.contract.agreements import CalendarFeed, DeletedCalendarFeed
from app.dashboard.api import agreement_queries, queries
from app.dashboard.api.write_button import write_button
from app.dashboard.deployment import Deployment
from app.dashboard.session_values import SessionValue
from components.formatting.datetimes import draw_timestamp

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
        for feed in agreement_queries.load_calendar_feeds(deployment, MOST_LISTED).data:
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
