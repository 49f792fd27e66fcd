"""The webhook to register, from what was entered into its form, or what is wrong with it."""

from collections.abc import Sequence
from urllib.parse import urlsplit

from pydantic import ValidationError

from app.contract.events import EVENT_NAMES, EventName
from app.contract.validation_messages import describe_faults
from app.contract.webhooks import NewWebhook
from app.dashboard.api.form_button import CheckedForm


def validate_webhook(url: str, events: Sequence[str]) -> CheckedForm[NewWebhook]:
    """Return the webhook to register, or the faults. Only the service decides whether the address may be
    called."""
    faults: dict[str, str] = {}
    address = url.strip()
    try:
        parts = urlsplit(address)
        complete = parts.scheme in {"http", "https"} and bool(parts.hostname)
    except ValueError:
        complete = False
    if not complete:
        faults["url"] = "Enter a full address that starts with https:// or http://."
    chosen: list[EventName] = [name for name in EVENT_NAMES if name in events]
    if not chosen:
        faults["events"] = "Choose at least one event."
    if faults:
        return CheckedForm(None, faults)
    try:
        return CheckedForm(NewWebhook(url=address, events=chosen), {})
    except ValidationError as refusal:
        return CheckedForm(None, {"": describe_faults(refusal)})
