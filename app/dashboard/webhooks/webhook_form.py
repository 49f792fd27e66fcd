"""The form that registers a webhook."""

from typing import Any
from urllib.parse import urlsplit

from app.contract.events import EVENT_NAMES, EVENTS
from app.contract.webhooks import NewWebhook
from app.dashboard.deployment import Deployment
from app.dashboard.kit.form import Field, Form
from components.elements.form_fields import Fields


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
