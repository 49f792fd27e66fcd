"""The three steps amount to a start, or to what is missing and where."""

import pytest

from app.contract.negotiation import StartNegotiation
from app.dashboard.deployment import Deployment
from app.dashboard.kit.form import CheckedForm
from app.dashboard.negotiations.start_form import NegotiationSubject, make_start_form
from tests.components.fixtures import make_id

NOBODY = Deployment("https://parley.example", "key")
ABOUT = NegotiationSubject(company_id=make_id(9), scope_id=make_id(70))
TYPED = {"contactName": "Kim Lee", "contactEmail": "kim@example.com", "engagement": "strategy_only"}


def validate_start(subject: NegotiationSubject, typed: dict[str, str]) -> CheckedForm[StartNegotiation]:
    return make_start_form(NOBODY, subject).check_values(typed)


def test_the_least_is_a_supplier_a_name_and_an_address() -> None:
    details = validate_start(NegotiationSubject(supplier_name="Ledgerworks"), TYPED).body
    assert details is not None
    assert details.wire() == {
        "supplier": {"name": "Ledgerworks"},
        "contactEmail": "kim@example.com",
        "contactName": "Kim Lee",
        "engagementType": "strategy_only",
    }


def test_scope_and_people_go_along() -> None:
    people = "Ana Ruiz <ana@example.com>, finance\n\nBo <bo@example.com>"
    details = validate_start(ABOUT, TYPED | {"participants": people}).body
    assert details is not None
    sent = details.wire()
    assert sent["scope"] == {"scopeId": ABOUT.scope_id}
    assert sent["participants"] == [
        {"name": "Ana Ruiz", "email": "ana@example.com", "role": "finance"},
        {"name": "Bo", "email": "bo@example.com"},
    ]


@pytest.mark.parametrize(
    ("typed", "places"),
    [
        ({"contactName": " "}, ["contactName"]),
        ({"contactEmail": "kim"}, ["contactEmail"]),
        ({"engagement": "svc_led"}, ["supplierEmail"]),
        ({"engagement": "svc_led", "supplierEmail": "nobody"}, ["supplierEmail"]),
        ({"participants": "Kim"}, ["participants"]),
        ({"participants": "Kim <kim>"}, ["participants"]),
    ],
)
def test_what_is_missing_is_named_at_its_field(typed: dict[str, str], places: list[str]) -> None:
    entered = validate_start(ABOUT, TYPED | typed)
    assert entered.body is None
    assert list(entered.faults) == places


def test_a_start_needs_a_supplier() -> None:
    assert list(validate_start(NegotiationSubject(), TYPED).faults) == [""]
