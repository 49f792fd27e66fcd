"""Every address that events are sent to with how that goes, and a way to register another."""

from datetime import UTC, datetime

import streamlit as st

from app.client import ScopedClient
from app.contract.webhooks import Webhook, WebhookDetail
from app.dashboard import navigation
from app.dashboard.api import extension_queries, queries
from app.dashboard.api.write_button import write_button
from app.dashboard.failure_panel import failure_panel
from app.dashboard.signing_in import identity
from app.dashboard.webhooks import secret_display
from components.elements.empty_state import draw_empty_state
from components.elements.page_header import draw_page_header
from components.webhooks.inbox_messages import is_inbox
from components.webhooks.webhook_form import draw_webhook_form, read_webhook_form
from components.webhooks.webhook_table import draw_webhook_table

KEY = "webhook"
REGISTERED, REGISTER = "Registered", "Register one"
HEALTH_OF_NEWEST = 20
"""Of how many webhooks the health is shown in the list: each is a call of its own."""

deployment = identity.require_deployment()


def offers(operation: str) -> bool:
    return queries.has_operation(deployment, operation)


def registered_tab() -> None:
    with failure_panel("The list of webhooks"):
        webhooks = queries.load_webhooks(deployment)
        if webhooks:
            details = health_of(webhooks)
            chosen = draw_webhook_table(webhooks, key="webhooks", now=datetime.now(UTC), details=details)
            if chosen:
                navigation.open_page("webhook", id=chosen)
        else:
            draw_empty_state(
                "No webhooks yet",
                "Register an address, and it is told when a document was read, a negotiation changed or a "
                "decision is waited for.",
                icon="webhook",
            )
        if offers("POST /v1/webhooks/inbox") and not any(is_inbox(webhook) for webhook in webhooks):
            offer_inbox()


def health_of(webhooks: list[Webhook]) -> dict[str, WebhookDetail]:
    """By id, where the deployment says it."""
    if not offers("GET /v1/webhooks/{}"):
        return {}
    newest = webhooks[:HEALTH_OF_NEWEST]
    return {each.id: extension_queries.load_webhook_detail(deployment, each.id) for each in newest}


def offer_inbox() -> None:
    """One click to a receiver that is there already."""

    def open_inbox(client: ScopedClient, idempotency_key: str) -> Webhook:
        return client.webhooks.open_inbox(idempotency_key=idempotency_key)

    def show(webhook: Webhook) -> None:
        navigation.open_page("webhook", id=webhook.id, view="Inbox")

    with st.container(border=True, key="offer-inbox"):
        st.markdown(":material/inbox: **No receiver at hand?** This deployment has an inbox of its own.")
        st.caption("It takes every event, checks its signature as a receiver should, and shows what arrived.")
        write_button(
            deployment,
            "Use the built-in inbox",
            name="open-inbox",
            what="Registering the inbox",
            write=open_inbox,
            on_success=show,
            icon=":material/add_link:",
        )


@st.fragment
def register_tab() -> None:
    state = st.session_state
    draw_webhook_form(key=KEY, faults=state.get(f"{KEY}.wrong"))

    def is_complete() -> bool:
        entered = read_webhook_form(key=KEY)
        state[f"{KEY}.wrong"] = entered.faults
        return entered.body is not None

    def register(client: ScopedClient, idempotency_key: str) -> Webhook:
        body = read_webhook_form(key=KEY).body
        if body is None:
            raise RuntimeError("the form changed between the click and the write")
        return client.webhooks.create(body.url, body.events, idempotency_key=idempotency_key)

    def show(webhook: Webhook) -> None:
        if webhook.secret:
            secret_display.keep_secret(webhook.id, webhook.secret)
        state.pop(f"{KEY}/url", None)
        navigation.open_page("webhook", id=webhook.id)

    write_button(
        deployment,
        "Register it",
        name=KEY,
        what="Registering the webhook",
        write=register,
        on_success=show,
        icon=":material/add_link:",
        type="primary",
        is_ready=is_complete,
    )


draw_page_header("Webhooks", caption="Where events are sent, and every delivery.")
tabs = [REGISTERED, REGISTER] if offers("POST /v1/webhooks") else [REGISTERED]
bodies = {REGISTERED: registered_tab, REGISTER: register_tab}
for tab, name in zip(st.tabs(tabs, key="tab", bind="query-params"), tabs, strict=True):
    with tab:
        if tab.open:
            bodies[name]()
