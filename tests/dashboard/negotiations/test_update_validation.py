"""What a form holds becomes an update with its own schema, or names what is wrong."""

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest

from app.contract.negotiation import ExternalUpdate, TimelineEntry
from app.contract.strategy import Position, StrategyShown
from app.dashboard.kit.form import CheckedForm
from app.dashboard.negotiations.update_reports import (
    CORRECT,
    WITHDRAW,
    Report,
    report,
    validate_correction,
    validate_numbers,
    validate_update,
)
from tests.components.fixtures import NOON, make_id

DAY = timedelta(days=1)
OFFER = TimelineEntry(
    id=make_id(7), kind="quote", happened_at=NOON, recorded_at=NOON, amount=Decimal(90), currency="USD"
)


def updates() -> list[ExternalUpdate]:
    made = [
        report(
            "quote",
            amount=Decimal("52400.5"),
            currency="EUR",
            termLength=12,
            validUntil=date(2026, 4, 1),
            note="as mailed",
        ),
        report("quote", amount=Decimal(52_400), currency="EUR"),
        report("message", **{"from": "Kim", "text": "We come back on Monday."}),
        report("decision", escalationId=make_id(300), decision="counter", amount=Decimal(45_100)),
        report("decision", decision="go_ahead"),
        report("agreement", amount=Decimal(46_000), currency="EUR", termLength=12),
        report("cancellation"),
    ]
    return [one.make_update(NOON, "e-1") for one in made]


def check_payload(sent: dict[str, Any]) -> None:
    # Imported where it is needed: it takes a second, and every process of the tests imports every test.
    from jsonschema import Draft202012Validator, validate

    validate(sent["payload"], sent["schema"], Draft202012Validator)


@pytest.mark.campaign
@pytest.mark.parametrize("update", updates(), ids=lambda update: update.payload_schema["$id"])
def test_an_update_keeps_its_own_schema(update: ExternalUpdate) -> None:
    sent = update.wire()
    check_payload(sent)
    assert sent["externalId"] == "e-1"
    assert None not in sent["payload"].values()


def test_an_offer_says_all_that_was_typed() -> None:
    typed = {"amount": 52400.5, "currency": "eur", "term": 12, "until": date(2026, 4, 1), "note": " x "}
    entered = validate_update("offer", typed, "", NOON)
    assert entered.body is not None
    assert entered.body.make_update(NOON, "e-1").payload == {
        "amount": 52400.5,
        "currency": "EUR",
        "termLength": 12,
        "validUntil": "2026-04-01",
        "note": "x",
    }


@pytest.mark.parametrize(
    ("kind", "typed", "wrong"),
    [
        ("offer", {"currency": "USD"}, ["amount"]),
        ("offer", {"amount": 0.0, "currency": "USD"}, ["amount"]),
        ("offer", {"amount": -5.0, "currency": "USD"}, ["amount"]),
        ("offer", {"amount": float("inf"), "currency": "USD"}, ["amount"]),
        ("offer", {"amount": 5.0, "currency": "EUR"}, ["currency"]),
        ("offer", {"amount": 5.0, "currency": "USD", "on": NOON.date() + DAY}, ["on"]),
        ("offer", {"amount": 5.0, "currency": "USD", "until": NOON.date() - DAY}, ["until"]),
        ("counter", {"amount": None}, ["amount"]),
        ("agreement", {"amount": 10.0**12, "currency": "USD"}, ["amount"]),
        ("agreement", {"amount": 5.0, "currency": "U$"}, ["currency"]),
        ("message", {"text": "  "}, ["sender", "text"]),
    ],
)
def test_what_is_wrong_is_named_before_it_is_sent(kind: Any, typed: dict[str, Any], wrong: list[str]) -> None:
    entered = validate_update(kind, typed, "USD", NOON)
    assert entered.body is None
    assert list(entered.faults) == wrong


def test_a_cancellation_needs_no_reason() -> None:
    entered = validate_update("cancellation", {}, "", NOON)
    assert entered.body is not None
    assert entered.body.make_update(NOON, "e-1").payload == {}


@pytest.mark.parametrize(
    ("typed", "wrong"),
    [
        ({"target": 900.0}, ["note"]),
        ({"note": "why"}, ["target"]),
        ({"target": 0.0, "note": "why"}, ["target"]),
        ({"opening": 950.0, "note": "why"}, ["opening"]),
        ({"target": 900.0, "walk_away": 800.0, "note": "why"}, ["target"]),
    ],
)
def test_numbers_that_cannot_be_sent_are_named(typed: dict[str, Any], wrong: list[str]) -> None:
    now = StrategyShown(target=Position(amount=Decimal(900), reason="", purchases=0), levers=[])
    entered = validate_numbers(typed, now, "USD")
    assert entered.body is None
    assert list(entered.faults) == wrong


def test_numbers_and_corrections_are_sent_as_typed() -> None:
    typed = validate_numbers({"target": 900.5, "note": " why "}, StrategyShown(levers=[]), "USD")
    assert typed.body is not None
    sent = typed.body.make_update(NOON, "e-1").wire()
    assert sent["payload"] == {"target": 900.5, "currency": "USD", "note": "why"}
    check_payload(sent)


def test_a_correction_needs_a_reason_and_something_that_was_wrong() -> None:
    def check(offer: str = make_id(7), **typed: object) -> CheckedForm[Report]:
        return validate_correction({"offer": offer, "what": CORRECT, **typed}, [OFFER])

    withdrawn = check(what=WITHDRAW, amount=5.0, note="For somebody else")
    assert withdrawn.body is not None
    sent = withdrawn.body.make_update(NOON, "e-1").payload
    assert sent == {"externalId": make_id(7), "withdrawn": True, "note": "For somebody else"}
    corrected = check(amount=9.5, note=" A zero too many ")
    assert corrected.body is not None
    sent = corrected.body.make_update(NOON, "e-1").payload
    assert sent == {"externalId": make_id(7), "amount": 9.5, "note": "A zero too many"}
    assert list(check(note="x").faults) == ["amount"]
    assert list(check(note="x", amount=90.0).faults) == ["amount"]
    assert check(note="x", amount=90.0, term=12).body is not None
    assert list(check(note="x", amount=-1.0).faults) == ["amount"]
    assert list(check(amount=9.0).faults) == ["note"]
    assert list(check(what=WITHDRAW).faults) == ["note"]
    assert list(check("gone", amount=9.0, note="x").faults) == ["offer"]


def test_an_event_of_another_day_happened_at_noon_of_that_day() -> None:
    counter = validate_update(
        "counter", {"amount": 5.0, "on": NOON.date() - DAY, "note": "by phone"}, "", NOON
    )
    assert counter.body is not None
    made = counter.body.make_update(NOON, "e-1")
    assert made.timestamp == NOON.replace(hour=12, minute=0, second=0, microsecond=0) - DAY
    assert made.payload == {"decision": "counter", "amount": 5, "note": "by phone"}
    today = validate_update("agreement", {"amount": 5.0, "currency": "USD", "on": NOON.date()}, "USD", NOON)
    assert today.body is not None
    assert today.body.make_update(NOON, "e-1").timestamp == NOON
    assert today.body.make_update(NOON, "e-1").payload["signedAt"] == NOON.date().isoformat()
