"""The form that registers a webhook, and the buttons that act on one."""

from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

import streamlit as st

from app.contract.events import EVENT_NAMES, EVENTS
from app.contract.webhooks import NewWebhook, Webhook
from app.dashboard import navigation
from app.dashboard.api.write_button import confirmed_write, write_button
from app.dashboard.deployment import Deployment
from app.dashboard.kit.form import Form
from app.dashboard.session_values import WEBHOOK_SECRET
from components.elements.form_fields import Field, Fields


def make_webhook_form(deployment: Deployment) -> Form[NewWebhook]:
    """Return the form with the address and a tick box for each event."""
    return Form(
        deployment,
        "webhook",
        NewWebhook,
        (
            Field(
                "url", "Address", kind="address", most=2000, placeholder="https://example.com/hooks/parley"
            ),
            *(
                Field(one.event_name, f"`{one.event_name}`", kind="flag", default=True, help=one.explanation)
                for one in EVENTS
            ),
        ),
        shape=_shape,
        check_fields=_check,
        places={"events": "events"},
    )


def _shape(values: Fields) -> dict[str, Any]:
    return {"url": values.get("url"), "events": [name for name in EVENT_NAMES if values.get(name)]}


def _check(values: Fields) -> dict[str, str]:
    """Only the service decides whether the address may be called."""
    faults: dict[str, str] = {}
    try:
        parts = urlsplit(str(values.get("url") or ""))
        is_complete = parts.scheme in {"http", "https"} and bool(parts.hostname)
    except ValueError:
        is_complete = False
    if not is_complete:
        faults["url"] = "Enter a full address that starts with https:// or http://."
    if not any(values.get(name) for name in EVENT_NAMES):
        faults["events"] = "Choose at least one event."
    return faults


def draw_webhook_actions(deployment: Deployment, webhook: Webhook, *, is_enabled: bool) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        write_button(
            deployment,
            "Send a test",
            name=f"test-{webhook.id}",
            operation="POST /v1/webhooks/{}/test",
            what="Sending a test",
            write=lambda client, key: client.webhooks.test(webhook.id, idempotency_key=key),
            icon="send",
            disabled=not is_enabled,
        )
        write_button(
            deployment,
            "Turn off" if is_enabled else "Turn on",
            # A click on what another person has switched meanwhile must not switch it back.
            name=f"turn-{'off' if is_enabled else 'on'}-{webhook.id}",
            operation="PATCH /v1/webhooks/{}",
            what="Changing the webhook",
            write=lambda client, _: client.webhooks.update(webhook.id, enabled=not is_enabled),
            icon="pause" if is_enabled else "play_arrow",
        )
        write_button(
            deployment,
            "Resend failures of the last day",
            name=f"again-{webhook.id}",
            operation="POST /v1/webhooks/{}/events/redeliver",
            what="Sending again",
            # The body differs from try to try, so the key of an earlier one would be refused.
            write=lambda client, _: client.webhooks.redeliver_since(
                webhook.id, datetime.now(UTC) - timedelta(days=1)
            ),
            icon="replay",
            disabled=not is_enabled,
        )
        write_button(
            deployment,
            "Create a new secret",
            name=f"rotate-{webhook.id}",
            operation="POST /v1/webhooks/{}/secret",
            what="Creating a new secret",
            write=lambda client, key: client.webhooks.rotate_secret(webhook.id, idempotency_key=key),
            on_success=lambda rotated: WEBHOOK_SECRET.set((webhook.id, rotated.secret)),
            icon="key",
            help="The previous secret stays valid for 24 hours",
        )
        confirmed_write(
            deployment,
            "Delete",
            "It will receive nothing more, and its deliveries can no longer be seen. This cannot be undone.",
            confirm="Delete this webhook",
            name=f"delete-{webhook.id}",
            operation="DELETE /v1/webhooks/{}",
            what="Deleting the webhook",
            write=lambda client, _: client.webhooks.delete(webhook.id),
            on_success=lambda _: navigation.open_page("webhooks"),
            icon="delete",
        )
