"""Every address that events are sent to with how that goes, and a way to register another."""

from datetime import UTC, datetime

import streamlit as st

from app.contract.events import EVENT_NAMES
from app.contract.webhooks import Webhook, WebhookDetail
from app.dashboard import navigation
from app.dashboard.api import queries
from app.dashboard.api.write_button import write_button
from app.dashboard.kit.needs import Tab, draw_offered_tabs
from app.dashboard.sample_data import draw_sample_notice
from app.dashboard.session_values import WEBHOOK_SECRET
from app.dashboard.signing_in import identity
from app.dashboard.webhooks import make_webhook_form
from components.elements.empty_state import draw_empty_state
from components.elements.form_fields import draw_fault
from components.elements.page_header import draw_page_header
from components.webhooks.webhooks import draw_webhook_table, is_inbox

MAX_HEALTH = 20
"""Of how many webhooks the health is shown in the list: each is a call of its own."""

deployment = identity.require_deployment()


def has_operation(operation: str) -> bool:
    return queries.has_operation(deployment, operation)


def draw_registered_tab() -> None:
    webhooks = queries.load_webhooks(deployment)
    if webhooks:
        draw_sample_notice(deployment, [webhook.id for webhook in webhooks])
        details = load_health(webhooks)
        draw_webhook_table(webhooks, now=datetime.now(UTC), details=details)
    else:
        draw_empty_state(
            "No webhooks yet",
            "Register an address, and it is told when a document was read, a negotiation changed or a "
            "decision is waited for."
            if has_operation("POST /v1/webhooks")
            else "Webhooks of your organisation appear here.",
            "webhook",
        )
    if has_operation("POST /v1/webhooks/inbox") and not any(is_inbox(webhook) for webhook in webhooks):
        draw_inbox_offer()


def load_health(webhooks: list[Webhook]) -> dict[str, WebhookDetail]:
    """By id, where the deployment says it."""
    if not has_operation("GET /v1/webhooks/{}"):
        return {}
    newest = webhooks[:MAX_HEALTH]
    return {each.id: queries.load_webhook_detail(deployment, each.id) for each in newest}


def draw_inbox_offer() -> None:
    """One click to a receiver that is there already."""

    with st.container(border=True, key="offer-inbox"):
        st.markdown(":material/inbox: **No receiver yet?** This workspace has a built-in inbox.")
        st.caption(
            "It accepts every event, checks its signature as a receiver should, and shows what arrived."
        )
        write_button(
            deployment,
            "Use the built-in inbox",
            name="open-inbox",
            operation="POST /v1/webhooks/inbox",
            what="Registering the inbox",
            write=lambda client, key: client.webhooks.open_inbox(idempotency_key=key),
            on_success=lambda webhook: navigation.open_page("webhook", id=webhook.id, view="Inbox"),
            icon="add_link",
        )


@st.fragment
def draw_registration_tab() -> None:
    form = make_webhook_form(deployment)
    with form.drawing():
        form.draw_fields(["url"])
        st.markdown("Events")
        form.draw_fields(EVENT_NAMES)
        draw_fault(form.faults.get("events"))

    def open_webhook(webhook: Webhook) -> None:
        if webhook.secret:
            WEBHOOK_SECRET.set((webhook.id, webhook.secret))
        navigation.open_page("webhook", id=webhook.id)

    form.draw_button(
        "Register the webhook",
        operation="POST /v1/webhooks",
        send=lambda client, body, key: client.webhooks.create(body.url, body.events, idempotency_key=key),
        what="Registering the webhook",
        on_success=open_webhook,
        icon="add_link",
    )


draw_page_header("Webhooks", caption="Where events are sent, and every delivery.")
draw_offered_tabs(
    deployment,
    {
        "Registered": Tab(draw_registered_tab, what="The list of webhooks"),
        "Register a webhook": Tab(draw_registration_tab, "POST /v1/webhooks"),
    },
    key="webhooks-tab",
)
