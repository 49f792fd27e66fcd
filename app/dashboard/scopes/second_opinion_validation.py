"""Whom to ask for a second opinion, from what was entered into its form, or what is wrong with it."""

from pydantic import ValidationError

from app.contract.second_opinion import SecondOpinionChange, SecondOpinionSettings
from app.contract.validation_messages import describe_faults
from app.dashboard.kit.form import CheckedForm
from components.deployment.second_opinion_form import read_values
from components.elements.form_fields import Fields, get_months, get_text


def validate_second_opinion(
    fields: Fields, begun: SecondOpinionSettings, current: SecondOpinionSettings
) -> CheckedForm[SecondOpinionChange]:
    """Return what was changed of `begun`, with which the form was filled, or what is wrong with the settings
    that come of it. Only the service decides whether the address may be called."""
    key = get_text(fields, "key")
    changed = _find_changed(fields, begun)
    wanted = read_values(current) | changed
    faults: dict[str, str] = {}
    if not wanted["address"] and (wanted["enabled"] or current.address):
        faults["address"] = "Enter the address of the service."
    if not wanted["model"] and (wanted["enabled"] or current.model):
        faults["model"] = "Enter the name of the model."
    without_key = fields.get("without_key") is True
    if key and without_key:
        faults["key"] = "Type a key, or tick that none is needed."
    if wanted["enabled"] and not key and not without_key and not current.has_key:
        faults["key"] = "Type the key, or tick that none is needed."
    if faults:
        return CheckedForm(None, faults)
    body = {name: value for name, value in changed.items() if value is not None and name != "without_key"}
    if key:
        body["key"] = key
    elif without_key and changed.keys() & {"without_key", "address"}:
        body["key"] = None
    if not body:
        return CheckedForm(None, {"": "Nothing was changed."})
    try:
        return CheckedForm(SecondOpinionChange.model_validate(body), {})
    except ValidationError as refusal:
        return CheckedForm(None, {"": describe_faults(refusal)})


def _find_changed(fields: Fields, begun: SecondOpinionSettings) -> dict[str, object]:
    entered: dict[str, object] = {
        "enabled": fields.get("enabled") is True,
        "address": get_text(fields, "address") or None,
        "model": get_text(fields, "model") or None,
        "without_key": fields.get("without_key") is True,
        "calls_per_day": get_months(fields, "calls_per_day"),
    }
    before = read_values(begun)
    return {name: value for name, value in entered.items() if value != before[name]}
