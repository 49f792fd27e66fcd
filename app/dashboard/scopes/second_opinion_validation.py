"""Whom to ask for a second opinion, from what was entered into its form, or what is wrong with it."""

from pydantic import ValidationError

from app.contract.second_opinion import SecondOpinionChange, SecondOpinionSettings
from app.contract.validation_messages import describe_faults
from app.dashboard.api.form_button import CheckedForm
from components.elements.form_fields import Fields, get_months, get_text


def validate_second_opinion(
    fields: Fields, current: SecondOpinionSettings
) -> CheckedForm[SecondOpinionChange]:
    """Return the change, or the faults. Only the service decides whether the address may be called."""
    enabled = fields.get("enabled") is True
    address, model, key = (get_text(fields, name) for name in ("address", "model", "key"))
    without_key = fields.get("without_key") is True
    faults: dict[str, str] = {}
    if not address and (enabled or current.address):
        faults["address"] = "Enter the address of the service."
    if not model and (enabled or current.model):
        faults["model"] = "Enter the name of the model."
    if key and without_key:
        faults["key"] = "Type a key, or tick that none is needed."
    if enabled and not key and not without_key and not current.has_key:
        faults["key"] = "Type the key, or tick that none is needed."
    if faults:
        return CheckedForm(None, faults)
    calls = get_months(fields, "calls_per_day")
    body: dict[str, object] = {"enabled": enabled}
    body |= {name: value for name, value in (("address", address), ("model", model), ("key", key)) if value}
    if without_key:
        body["key"] = None
    if calls is not None:
        body["callsPerDay"] = calls
    try:
        return CheckedForm(SecondOpinionChange.model_validate(body), {})
    except ValidationError as refusal:
        return CheckedForm(None, {"": describe_faults(refusal)})
