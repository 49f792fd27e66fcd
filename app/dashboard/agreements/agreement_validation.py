"""The agreement, its change or a decision, from what was entered into a form, or what is wrong with it."""

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError
from pydantic.alias_generators import to_camel

from app.contract.agreements import Agreement, AgreementChange, NewAgreement, NewDecision
from app.contract.renewals import StartRenewal
from app.contract.validation_messages import describe_faults
from app.dashboard.kit.form import CheckedForm
from components.elements.form_fields import Fields, get_amount, get_text

_TEXTS = ("name", "supplierName", "currency", "reference", "costCenter")
_AMOUNTS = ("totalValue", "oneTimeValue")
_OTHERS = (
    *("termStart", "termEnd", "renewalType", "autoRenewalTermMonths", "maxRenewals", "deliveryBufferDays"),
    "noticeGivenOn",
)
_PLACES = {"noticePeriod": "notice-value", "owners": "owner-name"}
"""Where the form shows what is wrong with a field that it has no field of that name for."""


def validate_agreement(fields: Fields) -> CheckedForm[NewAgreement]:
    """Return the agreement to put on record, or the faults. The service checks what dates are possible."""
    stated = {name: value for name, value in _read_stated(fields).items() if value is not None}
    faults = _find_faults(fields)
    if faults:
        return CheckedForm(None, faults)
    try:
        return CheckedForm(NewAgreement.model_validate(stated), {})
    except ValidationError as refusal:
        return CheckedForm(None, _place_faults(refusal))


def validate_change(fields: Fields, agreement: Agreement) -> CheckedForm[AgreementChange]:
    """Return what was changed of an agreement, or the faults."""
    faults = _find_faults(fields)
    if faults:
        return CheckedForm(None, faults)
    before = agreement.wire()
    try:
        after = NewAgreement.model_validate(
            {name: value for name, value in _read_stated(fields).items() if value is not None}
        ).wire()
        changed = {
            name: after.get(name) for name in _read_stated(fields) if after.get(name) != before.get(name)
        }
        if not changed:
            return CheckedForm(None, {"": "Nothing was changed."})
        return CheckedForm(AgreementChange.model_validate(changed), {})
    except ValidationError as refusal:
        return CheckedForm(None, _place_faults(refusal))


def validate_decision(fields: Fields) -> CheckedForm[NewDecision]:
    """Return the decision, or the faults."""
    if not fields.get("decision"):
        return CheckedForm(None, {"decision": "Choose one."})
    stated = {
        "decision": fields["decision"],
        "note": get_text(fields, "note") or None,
        "noticeGivenOn": fields.get("noticeGivenOn"),
        "until": fields.get("until") if fields["decision"] == "put_off" else None,
    }
    try:
        return CheckedForm(NewDecision.model_validate(stated), {})
    except ValidationError as refusal:
        return CheckedForm(None, _place_faults(refusal))


def validate_contact(fields: Fields, *, asks_supplier: bool = False) -> CheckedForm[StartRenewal]:
    """Return who negotiates a renewal, and with whom where nobody knows, or the faults."""
    name, email = get_text(fields, "contactName"), get_text(fields, "contactEmail")
    supplier = get_text(fields, "supplierName") if asks_supplier else ""
    faults: dict[str, str] = {}
    if not name:
        faults["contactName"] = "Enter the name."
    if not email:
        faults["contactEmail"] = "Enter the address."
    if asks_supplier and not supplier:
        faults["supplierName"] = "Enter the supplier."
    if faults:
        return CheckedForm(None, faults)
    try:
        answers = StartRenewal(contact_name=name, contact_email=email, supplier_name=supplier or None)
        return CheckedForm(answers, {})
    except ValidationError as refusal:
        return CheckedForm(None, _place_faults(refusal))


def _find_faults(fields: Fields) -> dict[str, str]:
    faults: dict[str, str] = {}
    if not get_text(fields, "name"):
        faults["name"] = "Give it a name."
    value, unit = fields.get("notice-value"), fields.get("notice-unit")
    if value is not None and not unit:
        faults["notice-unit"] = "Choose months, days or business days: three months are not 90 days."
    if unit and value is None:
        faults["notice-value"] = "Enter how many."
    if get_text(fields, "owner-email") and not get_text(fields, "owner-name"):
        faults["owner-name"] = "Enter the owner's name too."
    return faults


def _read_stated(fields: Fields) -> dict[str, Any]:
    """Return every field that the form has by its name on the wire, None where it is empty."""
    stated: dict[str, Any] = {name: get_text(fields, name) or None for name in _TEXTS}
    stated["currency"] = stated["currency"] and stated["currency"].upper()
    stated |= {name: get_amount(fields, name) for name in _AMOUNTS}
    stated |= {name: fields.get(name) for name in _OTHERS}
    value, unit = fields.get("notice-value"), fields.get("notice-unit")
    stated["noticePeriod"] = None if value is None else {"value": value, "unit": unit}
    name, email = get_text(fields, "owner-name"), get_text(fields, "owner-email")
    stated["owners"] = [{"name": name, **({"email": email} if email else {})}] if name else None
    return stated


def _place_faults(refusal: ValidationError) -> Mapping[str, str]:
    """Return the message of each field by the name of the form's field."""
    faults: dict[str, str] = {}
    for error in refusal.errors():
        place = to_camel(str(error["loc"][0])) if error["loc"] else ""
        faults[_PLACES.get(place, place)] = error["msg"].removeprefix("Value error, ").capitalize()
    return faults or {"": describe_faults(refusal)}
