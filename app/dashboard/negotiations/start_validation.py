"""The request that the steps of starting a negotiation amount to, or what is wrong with them."""

import re
from dataclasses import dataclass, replace
from decimal import Decimal

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from app.contract.negotiation import (
    EngagementType,
    NegotiationFile,
    NegotiationScope,
    NegotiationSupplier,
    Participant,
    StartNegotiation,
)
from app.contract.validation_messages import describe_fault
from app.dashboard.kit.form import CheckedForm
from components.elements.form_fields import AMOUNT_FAULT, Fields, get_amount, get_text, is_valid_amount
from components.negotiations.negotiation_start import TEXT_FIELDS

_PERSON = re.compile(r"^\s*(?P<name>[^<>,;]+?)\s*<(?P<email>[^<>\s]+)>\s*(?:[,;]\s*(?P<role>.+?))?\s*$")
# Locations of the contract's refusals, whether they name a field or its alias.
_FIELDS_BY_LOCATION = {
    "contactname": "contact-name",
    "contactemail": "contact-email",
}


@dataclass(frozen=True)
class NegotiationSubject:
    """What the negotiation is about, from the first step: a supplier, and a scope where there is one."""

    company_id: str | None = None
    supplier_name: str | None = None
    scope_id: str | None = None


@dataclass(frozen=True)
class StartDetails:
    """The request, and where they were entered the buyer's own numbers and what the supplier asks now
    (`quote`)."""

    request: StartNegotiation
    target: Decimal | None = None
    budget: Decimal | None = None
    quote: Decimal | None = None

    def with_file(self, file_id: str) -> "StartDetails":
        """Return the same start with an uploaded quote."""
        file = NegotiationFile(file_id=file_id)
        return replace(self, request=self.request.model_copy(update={"file": file}))


def validate_start(subject: NegotiationSubject, typed: Fields) -> CheckedForm[StartDetails]:
    """Return the request, or the faults. `typed` holds contact-name, contact-email, engagement,
    supplier-contact, supplier-email, participants (a line each: `Name <email>, role`), target, budget and
    quote (numbers)."""
    texts = {name: get_text(typed, name) for name in TEXT_FIELDS}
    faults = {
        name: "This field is required." for name in ("contact-name", "contact-email") if not texts[name]
    }
    if not (subject.company_id or subject.supplier_name):
        faults[""] = "Name the supplier in the first step."
    engagement: EngagementType = "svc_led" if texts["engagement"] == "svc_led" else "strategy_only"
    if engagement == "svc_led" and not texts["supplier-email"]:
        faults["supplier-email"] = "Needed to address letters."
    target, budget, quote = (get_amount(typed, name) for name in ("target", "budget", "quote"))
    for name, amount in (("target", target), ("budget", budget), ("quote", quote)):
        if amount is not None and not is_valid_amount(amount):
            faults[name] = AMOUNT_FAULT
    if target is not None and budget is not None and target > budget:
        faults["target"] = "The target is above the budget."
    people, wrong = _parse_participants(texts["participants"])
    if wrong:
        faults["participants"] = wrong
    if faults:
        return CheckedForm(None, faults)
    try:
        supplier = NegotiationSupplier(
            company_id=subject.company_id,
            name=subject.supplier_name,
            contact_name=texts["supplier-contact"] or None,
            contact_email=texts["supplier-email"] or None,
        )
    except ValidationError as refusal:
        return CheckedForm(None, {"supplier-email": describe_fault(refusal.errors()[0])})
    try:
        request = StartNegotiation(
            supplier=supplier,
            contact_name=texts["contact-name"],
            contact_email=texts["contact-email"],
            engagement_type=engagement,
            participants=people or None,
            scope=NegotiationScope(scope_id=subject.scope_id) if subject.scope_id else None,
        )
    except ValidationError as refusal:
        return CheckedForm(None, dict(map(_locate_fault, refusal.errors())))
    return CheckedForm(StartDetails(request, target, budget, quote), {})


def _locate_fault(error: ErrorDetails) -> tuple[str, str]:
    """Return a refusal of the contract with the field that it is about."""
    location = str(error["loc"][0]).replace("_", "").lower()
    return _FIELDS_BY_LOCATION.get(location, ""), describe_fault(error)


def _parse_participants(text: str) -> tuple[list[Participant], str | None]:
    people: list[Participant] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        match = _PERSON.match(line)
        if not match:
            return [], f"Line {number}: write Name <email>, role."
        try:
            people.append(Participant(name=match["name"], email=match["email"], role=match["role"] or None))
        except ValidationError:
            return [], f"Line {number}: {match['email']} is not an email address."
    return people, None
