"""The deliveries of a webhook, filtered, page by page and kept up to date."""

from datetime import UTC, datetime
from functools import partial

import streamlit as st

from app.contract.webhooks import Webhook, WebhookEvent
from app.dashboard.api import queries
from app.dashboard.deployment import Deployment
from app.dashboard.failure_panel import failure_panel
from components.elements.empty_state import draw_empty_state
from components.elements.page_number import go_to_first_page, read_page_number
from components.elements.pager import draw_pager
from components.formatting.datetimes import format_local_seconds, get_reader_zone
from components.webhooks.delivery_filters import DeliveryFilter, clear_filters, draw_delivery_filters
from components.webhooks.delivery_table import draw_delivery_table

PAGE = "page"
REFRESH_SECONDS = 5.0
ROWS = 50


def draw_delivery_list(deployment: Deployment, webhook: Webhook, *, has_filters: bool) -> None:
    """Draw the filters and the deliveries; both are in the address. `has_filters`: the deployment filters and
    pages by itself."""
    chosen = draw_delivery_filters(webhook.events if has_filters else (), page_key=PAGE)
    is_live = st.toggle("Live", value=True, key="live", bind="query-params", help="Refreshes automatically")
    draw = st.fragment(_draw_deliveries, run_every=REFRESH_SECONDS if is_live else None)
    draw(deployment, webhook.id, chosen, has_filters)


def _show_all() -> None:
    go_to_first_page(PAGE)
    clear_filters()


def _draw_deliveries(
    deployment: Deployment, webhook_id: str, chosen: DeliveryFilter, has_filters: bool
) -> None:
    with failure_panel("The list of deliveries"):
        page = read_page_number(PAGE)
        records, has_more = _load_page(deployment, webhook_id, chosen, has_filters, (page - 1) * ROWS)
        if records:
            draw_delivery_table(records, webhook_id=webhook_id, zone=get_reader_zone())
            draw_pager(
                PAGE,
                page=page,
                limit=ROWS,
                shown=len(records),
                has_more=has_more,
                nouns="deliveries" if len(records) > 1 or page > 1 else "delivery",
            )
            st.caption(f"Checked at {format_local_seconds(datetime.now(UTC), get_reader_zone())}")
        elif page > 1:
            draw_empty_state(
                "No deliveries on this page",
                "The list has become shorter.",
                icon="first_page",
                action="Show the newest deliveries",
                on_action=partial(go_to_first_page, PAGE),
                key="newest",
            )
        elif chosen:
            draw_empty_state(
                "No match",
                "No delivery matches these filters.",
                icon="filter_alt_off",
                action="Show all deliveries",
                on_action=_show_all,
                key="show-all",
            )
        else:
            draw_empty_state(
                "No deliveries yet",
                "None of the events that this webhook receives has happened yet.",
                icon="outbox",
            )


def _load_page(
    deployment: Deployment, webhook_id: str, chosen: DeliveryFilter, has_filters: bool, offset: int
) -> tuple[list[WebhookEvent], bool]:
    """Return the deliveries from `offset` on, and whether there are more. A deployment that gives its newest
    deliveries only has them filtered here."""
    now = datetime.now(UTC)
    if has_filters:
        page = queries.load_webhook_events(
            deployment,
            webhook_id,
            **chosen.as_query(now),
            limit=ROWS,
            offset=offset,
        )
        return page.data, page.more
    newest = queries.load_webhook_events(deployment, webhook_id).data
    matching = [record for record in newest if chosen.matches(record, now)]
    return matching[offset : offset + ROWS], len(matching) > offset + ROWS
