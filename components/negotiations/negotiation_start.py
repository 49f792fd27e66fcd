"""The start of a negotiation: the form for people and own numbers, and the request that all steps amount
to."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

import streamlit as st
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
from components.elements.form_fields import (
    AMOUNT_FAULT,
    Fields,
    draw_amount_input,
    draw_fault,
    get_amount,
    get_text,
    is_valid_amount,
    read_fields,
)

ENGAGEMENTS: dict[EngagementType, tuple[str, str]] = {
    "strategy_only": ("We talk to the supplier", "You get the strategy, and report what the supplier says."),
    "svc_led": (
        "The service writes the letters",
        "They go out by e-mail if a mail server is set up; otherwise each waits for you to copy and send it.",
    ),
}
_PERSON = re.compile(r"^\s*(?P<name>[^<>,;]+?)\s*<(?P<email>[^<>\s]+)>\s*(?:[,;]\s*(?P<role>.+?))?\s*$")
_TEXT_FIELDS = (
    "contact-name",
    "contact-email",
    "engagement",
    "supplier-contact",
    "supplier-email",
    "participants",
)
# Locations of the contract's refusals, whether they name a field or its alias.
_FIELDS_BY_LOCATION = {
    "contactname": "contact-name",
    "contactemail": "contact-email",
}


@dataclass(frozen=True)
class NegotiationSubject:
    """What the negotiation is about, from the first step: a supplier, and a scope or a file."""

    company_id: str | None = None
    supplier_name: str | None = None
    scope_id: str | None = None
    file_id: str | None = None


@dataclass(frozen=True)
class EnteredStart:
    """What was entered. `body` is None while there are faults; these are by field, "" for the form as a
    whole. `target` and `budget` are the buyer's own numbers, where they were entered."""

    body: StartNegotiation | None
    faults: Mapping[str, str]
    target: Decimal | None = None
    budget: Decimal | None = None


def validate_start(subject: NegotiationSubject, typed: Fields) -> EnteredStart:
    """Return the request, or the faults. `typed` holds contact-name, contact-email, engagement,
    supplier-contact, supplier-email, participants (a line each: `Name <email>, role`), target and budget
    (numbers)."""
    texts = {name: get_text(typed, name) for name in _TEXT_FIELDS}
    faults = {
        name: "This field is required." for name in ("contact-name", "contact-email") if not texts[name]
    }
    if not (subject.company_id or subject.supplier_name):
        faults[""] = "Name the supplier in the first step."
    engagement: EngagementType = "svc_led" if texts["engagement"] == "svc_led" else "strategy_only"
    if engagement == "svc_led" and not texts["supplier-email"]:
        faults["supplier-email"] = "Needed, so that letters can be addressed."
    target, budget = get_amount(typed, "target"), get_amount(typed, "budget")
    for name, amount in (("target", target), ("budget", budget)):
        if amount is not None and not is_valid_amount(amount):
            faults[name] = AMOUNT_FAULT
    if target is not None and budget is not None and target > budget:
        faults["target"] = "The target is above the budget."
    people, wrong = _parse_participants(texts["participants"])
    if wrong:
        faults["participants"] = wrong
    if faults:
        return EnteredStart(None, faults)
    try:
        supplier = NegotiationSupplier(
            company_id=subject.company_id,
            name=subject.supplier_name,
            contact_name=texts["supplier-contact"] or None,
            contact_email=texts["supplier-email"] or None,
        )
    except ValidationError as refusal:
        return EnteredStart(None, {"supplier-email": str(refusal.errors()[0]["msg"])})
    try:
        body = StartNegotiation(
            supplier=supplier,
            contact_name=texts["contact-name"],
            contact_email=texts["contact-email"],
            engagement_type=engagement,
            participants=people or None,
            scope=NegotiationScope(scope_id=subject.scope_id) if subject.scope_id else None,
            file=NegotiationFile(file_id=subject.file_id) if subject.file_id else None,
        )
    except ValidationError as refusal:
        return EnteredStart(None, dict(map(_locate_fault, refusal.errors(include_context=False))))
    return EnteredStart(body, {}, target, budget)


def _locate_fault(error: ErrorDetails) -> tuple[str, str]:
    """Return a refusal of the contract with the field that it is about."""
    location = str(error["loc"][0]).replace("_", "").lower()
    return _FIELDS_BY_LOCATION.get(location, ""), str(error["msg"])


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
            return [], f"Line {number}: {match['email']} is no e-mail address."
    return people, None


def draw_people_form(*, key: str, faults: Mapping[str, str] | None = None) -> None:
    """Draw the second step; `read_people_form` returns what was entered."""
    wrong = faults or {}
    engagement = st.radio(
        "Who talks to the supplier",
        list(ENGAGEMENTS),
        format_func=lambda each: ENGAGEMENTS[each][0],
        captions=[caption for _, caption in ENGAGEMENTS.values()],
        key=f"{key}/engagement",
        persist_state="page",
    )
    left, right = st.columns(2)
    with left:
        _draw_text_input("Your name \\*", "contact-name", key, wrong)
        _draw_text_input("Name of the supplier's contact", "supplier-contact", key, wrong)
    with right:
        _draw_text_input("Your e-mail \\*", "contact-email", key, wrong, is_email=True)
        needed = " \\*" if engagement == "svc_led" else ""
        _draw_text_input(
            f"E-mail of the supplier's contact{needed}", "supplier-email", key, wrong, is_email=True
        )
    st.text_area(
        "Other participants",
        key=f"{key}/participants",
        placeholder="Kim Lee <kim@example.com>, finance",
        help="A line each: name, e-mail in angle brackets, a comma and the role.",
        height=80,
        persist_state="page",
    )
    draw_fault(wrong.get("participants"))


def draw_own_numbers_form(
    *, key: str, faults: Mapping[str, str] | None = None, is_expanded: bool = False
) -> None:
    """Draw the fields for the buyer's own target and budget; `read_people_form` returns what was entered."""
    wrong = faults or {}
    with st.expander("Your own numbers", expanded=is_expanded or bool(wrong.keys() & {"target", "budget"})):
        st.caption(
            "Not needed where comparable purchases are on record: then they are calculated. What you enter"
            " here is used instead, marked as yours. In the quote's currency, before tax, for the whole term."
        )
        for column, (name, label) in zip(
            st.columns(2), (("target", "Target"), ("budget", "Budget: walk away above it")), strict=True
        ):
            with column:
                draw_amount_input(label, key=f"{key}/{name}")
                draw_fault(wrong.get(name))


def read_people_form(*, key: str) -> dict[str, object]:
    """Return what the form under `key` holds at this moment."""
    return read_fields(key, (*_TEXT_FIELDS, "target", "budget"))


def _draw_text_input(
    label: str, name: str, key: str, faults: Mapping[str, str], *, is_email: bool = False
) -> None:
    st.text_input(
        label,
        key=f"{key}/{name}",
        type="email" if is_email else "default",
        max_chars=254,
        persist_state="page",
    )
    draw_fault(faults.get(name))


def example() -> None:
    draw_people_form(key="example-people", faults={"contact-email": "This field is required."})
    draw_own_numbers_form(key="example-numbers", faults={"target": "The target is above the budget."})
