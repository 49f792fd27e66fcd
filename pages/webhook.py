"""One webhook: how it fares, its deliveries, and one delivery in full. All in the address: `?id=` is the
webhook, `&event=` one of its deliveries."""

from datetime import UTC, datetime, timedelta

import streamlit as st

from app.client import ScopedClient
from app.contract.webhooks import DeliveryAttempt, RotatedSecret, Webhook, WebhookEvent
from app.dashboard import navigation
from app.dashboard.api import extension_queries, queries
from app.dashboard.api.write_button import write_button
from app.dashboard.failure_panel import failure_panel
from app.dashboard.signing_in import identity
from app.dashboard.webhooks import secret_display
from components.elements.empty_state import draw_empty_state
from components.elements.identifier import draw_identifier, shorten_identifier
from components.elements.page_header import draw_page_header
from components.elements.pager import draw_pager, read_page_number, reset_page_number
from components.formatting.datetimes import format_local_seconds, get_reader_zone
from components.formatting.escape_markdown import escape_markdown
from components.webhooks.attempt_timeline import draw_attempt_timeline, draw_next_attempt
from components.webhooks.curl_command import redact_url
from components.webhooks.delivery_detail import draw_delivery_detail, draw_delivery_state
from components.webhooks.delivery_filters import DeliveryFilter, clear_filters, draw_delivery_filters
from components.webhooks.delivery_table import draw_delivery_table
from components.webhooks.inbox_messages import draw_inbox_messages, is_inbox
from components.webhooks.one_time_secret import draw_one_time_secret
from components.webhooks.webhook_health import draw_webhook_health

DELIVERIES, INBOX = "Deliveries", "Inbox"
PAGE = "page"
LIVE_SECONDS = 5.0
DELIVERIES_ON_A_PAGE = 50

deployment = identity.require_deployment()


def offers(operation: str) -> bool:
    return queries.has_operation(deployment, operation)


def secret_panel(webhook: Webhook) -> None:
    """The secret that was just made or renewed, until somebody says that it is stored."""
    secret = secret_display.secret_of(webhook.id)
    if secret is not None:
        draw_one_time_secret(
            secret, redact_url(webhook.url), key="secret", on_stored=secret_display.forget_secret
        )


def find(webhook_id: str) -> Webhook | None:
    """The interface has no read of one webhook, so it is looked for among all: once more among those of now,
    as it may have been registered since the list was read."""
    for _ in range(2):
        for each in queries.load_webhooks(deployment):
            if each.id == webhook_id:
                return each
        queries.load_webhooks.clear(deployment)
    return None


def one_webhook(webhook: Webhook) -> None:
    navigation.draw_link("webhooks", "All webhooks", icon=":material/arrow_back:")
    if is_inbox(webhook):
        draw_page_header(
            "Built-in inbox", caption="A receiver for trying webhooks out, part of this deployment."
        )
    else:
        # Without its scheme the address is no link: opening an endpoint in a browser is never what one wants.
        scheme, _, rest = redact_url(webhook.url).partition("://")
        draw_page_header(rest, badges=[(scheme, "green" if scheme == "https" else "orange")])
    st.markdown(" ".join(f":blue-badge[{escape_markdown(event)}]" for event in webhook.events))
    secret_panel(webhook)
    detailed = offers("GET /v1/webhooks/{}")
    enabled = True
    if detailed:
        with failure_panel("The health of this webhook"):
            detail = extension_queries.load_webhook_detail(deployment, webhook.id)
            enabled = detail.enabled
            draw_webhook_health(detail, datetime.now(UTC), get_reader_zone())
    controls(webhook, enabled)
    if is_inbox(webhook) and offers("GET /v1/webhooks/{}/inbox"):
        for tab, name in zip(
            st.tabs([DELIVERIES, INBOX], key="view", bind="query-params"), (DELIVERIES, INBOX), strict=True
        ):
            with tab:
                if tab.open and name == INBOX:
                    st.fragment(inbox, run_every=LIVE_SECONDS)(webhook.id)
                elif tab.open:
                    all_deliveries(webhook, detailed)
    else:
        st.subheader("Deliveries", anchor=False)
        all_deliveries(webhook, detailed)
    # Not in a block of code: what colours code is half a megabyte, and nothing else here needs it.
    st.caption(f"Webhook {webhook.id}")


def forget(_: object) -> None:
    extension_queries.clear_webhook_reads()


def controls(webhook: Webhook, enabled: bool) -> None:
    """What can be done with it, as far as the deployment goes along."""

    def test(client: ScopedClient, idempotency_key: str) -> object:
        return client.webhooks.test(webhook.id, idempotency_key=idempotency_key)

    def turn(client: ScopedClient, idempotency_key: str) -> object:
        return client.webhooks.update(webhook.id, enabled=not enabled)

    def rotate(client: ScopedClient, idempotency_key: str) -> RotatedSecret:
        return RotatedSecret.model_validate(
            client.webhooks.rotate_secret(webhook.id, idempotency_key=idempotency_key)
        )

    def show_secret(rotated: RotatedSecret) -> None:
        secret_display.keep_secret(webhook.id, rotated.secret)
        extension_queries.clear_webhook_reads()

    def again(client: ScopedClient, idempotency_key: str) -> object:
        since = datetime.now(UTC) - timedelta(days=1)
        # The body differs from try to try, so the key of an earlier one would be refused.
        return client.webhooks.redeliver_since(webhook.id, since)

    with st.container(horizontal=True, vertical_alignment="center"):
        if offers("POST /v1/webhooks/{}/test"):
            write_button(
                deployment,
                "Send a test",
                name=f"test-{webhook.id}",
                what="Sending a test",
                write=test,
                on_success=forget,
                icon=":material/send:",
                disabled=not enabled,
            )
        if offers("PATCH /v1/webhooks/{}"):
            write_button(
                deployment,
                "Turn it off" if enabled else "Turn it on",
                name=f"turn-{webhook.id}",
                what="Changing the webhook",
                write=turn,
                on_success=forget,
                icon=":material/pause:" if enabled else ":material/play_arrow:",
            )
        if offers("POST /v1/webhooks/{}/events/redeliver"):
            write_button(
                deployment,
                "Send again what failed in a day",
                name=f"again-{webhook.id}",
                what="Sending again",
                write=again,
                on_success=forget,
                icon=":material/replay:",
                disabled=not enabled,
            )
        if offers("POST /v1/webhooks/{}/secret"):
            write_button(
                deployment,
                "New secret",
                name=f"rotate-{webhook.id}",
                what="Making a new secret",
                write=rotate,
                on_success=show_secret,
                icon=":material/key:",
                help="The present one signs along for 24 hours",
            )
        if offers("DELETE /v1/webhooks/{}"):
            delete(webhook)


def delete(webhook: Webhook) -> None:
    def end(client: ScopedClient, idempotency_key: str) -> object:
        return client.webhooks.delete(webhook.id)

    def leave(_: object) -> None:
        navigation.open_page("webhooks")

    with st.popover("Delete", icon=":material/delete:", key="delete"):
        st.markdown("Nothing more is sent to it, and its deliveries can no longer be seen. This is final.")
        write_button(
            deployment,
            "Delete this webhook",
            name=f"delete-{webhook.id}",
            what="Deleting the webhook",
            write=end,
            on_success=leave,
            type="primary",
        )


# --- deliveries ---


def all_deliveries(webhook: Webhook, filtering: bool) -> None:
    """What was sent, as the address asks for it. `filtering`: the deployment filters and pages by itself."""
    wanted = draw_delivery_filters(webhook.events if filtering else (), on_change=forget_page)
    live = st.toggle("Live", value=True, key="live", bind="query-params", help="Looks again by itself")
    st.fragment(deliveries, run_every=LIVE_SECONDS if live else None)(webhook.id, wanted, filtering)


def forget_page() -> None:
    reset_page_number(PAGE)


def show_all() -> None:
    reset_page_number(PAGE)
    clear_filters()


def deliveries(webhook_id: str, wanted: DeliveryFilter, filtering: bool) -> None:
    with failure_panel("The deliveries"):
        page = read_page_number(PAGE)
        records, more = delivery_page(webhook_id, wanted, filtering, (page - 1) * DELIVERIES_ON_A_PAGE)
        if records:
            opened = draw_delivery_table(records, key="deliveries", zone=get_reader_zone())
            draw_pager(
                PAGE,
                page=page,
                limit=DELIVERIES_ON_A_PAGE,
                shown=len(records),
                has_more=more,
                nouns="deliveries" if len(records) > 1 or page > 1 else "delivery",
            )
            st.caption(f"Looked at {format_local_seconds(datetime.now(UTC), get_reader_zone())}")
            if opened:
                navigation.open_page("webhook", id=webhook_id, event=opened)
        elif wanted or page > 1:
            draw_empty_state(
                "No match",
                "No delivery fits these filters."
                if wanted
                else "There are no deliveries as old as this page.",
                icon="filter_alt_off",
                action="Show all deliveries",
                on_action=show_all,
                key="show-all",
            )
        else:
            draw_empty_state(
                "No deliveries yet", "Nothing happened that this webhook is told of.", icon="outbox"
            )


def delivery_page(
    webhook_id: str, wanted: DeliveryFilter, filtering: bool, offset: int
) -> tuple[list[WebhookEvent], bool]:
    """The records from `offset` on, and whether there are more. A deployment that only gives its newest
    records has them filtered here."""
    now, limit = datetime.now(UTC), DELIVERIES_ON_A_PAGE
    if filtering:
        page = queries.load_webhook_events(
            deployment,
            webhook_id,
            limit=limit,
            offset=offset,
            **wanted.as_query(now),
        )
        return page.data, page.more
    every = queries.load_webhook_events(deployment, webhook_id).data
    fitting = [record for record in every if wanted.matches(record, now)]
    return fitting[offset : offset + limit], len(fitting) > offset + limit


def inbox(webhook_id: str) -> None:
    with failure_panel("The inbox"):
        draw_inbox_messages(extension_queries.load_inbox(deployment, webhook_id), get_reader_zone())


# --- one delivery ---


def one_delivery(webhook: Webhook, event_id: str) -> None:
    navigation.draw_link(
        "webhook",
        f"Deliveries to {escape_markdown(redact_url(webhook.url))}",
        icon=":material/arrow_back:",
        id=webhook.id,
    )
    record = queries.load_webhook_event(deployment, webhook.id, event_id)
    draw_page_header(
        f"Delivery {shorten_identifier(event_id)}", caption=str(record.data.body.get("eventType", "")) or None
    )
    finished = record.status in {"succeeded", "failed"}
    st.fragment(state_of, run_every=None if finished else 1.0)(webhook.id, record)
    if offers("POST /v1/webhooks/{}/events/{}/redeliver"):

        def again(client: ScopedClient, idempotency_key: str) -> object:
            return client.webhooks.redeliver(webhook.id, event_id, idempotency_key=idempotency_key)

        write_button(
            deployment,
            "Send it again",
            name=f"redeliver-{event_id}",
            what="Sending it again",
            write=again,
            on_success=forget,
            icon=":material/replay:",
        )
    zone = get_reader_zone()
    attempts: list[DeliveryAttempt] = []
    if offers("GET /v1/webhooks/{}/events/{}/attempts"):
        with failure_panel("The attempts"):
            attempts = extension_queries.load_attempts(deployment, webhook.id, event_id)
    latest = attempts[-1] if attempts else None
    draw_delivery_detail(record, webhook.url, key="delivery", now=datetime.now(UTC), zone=zone, latest=latest)
    if attempts:
        st.subheader("Attempts", anchor=False)
        st.fragment(next_attempt, run_every=None if finished else 1.0)(record)
        draw_attempt_timeline(attempts, zone)
    draw_identifier("Delivery", event_id)


def next_attempt(record: WebhookEvent) -> None:
    draw_next_attempt(record, datetime.now(UTC), get_reader_zone())


def state_of(webhook_id: str, seen: WebhookEvent) -> None:
    """The state with its countdown, each second; the whole page anew once something changed."""
    draw_delivery_state(seen, datetime.now(UTC), get_reader_zone())
    changed = False
    with failure_panel("Following the delivery"):
        changed = queries.load_webhook_event(deployment, webhook_id, seen.id).updated_at != seen.updated_at
    if changed:
        extension_queries.clear_webhook_reads()
        st.rerun()


asked = navigation.requested_id()
with failure_panel("This webhook"):
    webhook = find(asked) if asked else None
    event = st.query_params.get("event")
    if webhook is None:
        draw_page_header("Webhook")
        if draw_empty_state(
            "This webhook was not found",
            "It may have been deleted, or it belongs to another organization.",
            icon="webhook",
            action="All webhooks",
            key="to-webhooks",
        ):
            navigation.open_page("webhooks")
    elif event:
        with failure_panel("This delivery"):
            one_delivery(webhook, event)
    else:
        one_webhook(webhook)
