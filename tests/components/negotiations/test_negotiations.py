"""A negotiation is shown with its figures and offers."""

from decimal import Decimal
from typing import Any

import pytest

from app.contract.negotiation import Timeline, TimelineEntry
from app.contract.strategy import Lever
from components.catalog import sanitize_html
from components.negotiations.board import format_sums
from components.negotiations.negotiation_state import describe_lever, format_entry_unit_price, format_state
from components.negotiations.timeline import (
    describe_entry,
    find_replaced_amounts,
)
from tests.components.fixtures import NOON, make_id


@pytest.mark.parametrize(
    ("kind", "payload", "text", "words"),
    [
        (
            "state",
            None,
            "pending → active: the supplier answered",
            "ready to open → under way: the supplier answered",
        ),
        (
            "quote",
            {"termLength": 24, "validUntil": "2026-12-01"},
            None,
            "for 2 years (24 months), valid until 1 Dec 2026",
        ),
        ("decision", {"decision": "walk_away", "note": "too dear"}, None, "walk away: too dear"),
        ("correction", {"withdrawn": True, "note": "For others"}, None, "withdrawn: For others"),
        ("correction", {"termLength": 12}, None, "corrected, for 12 months"),
        ("message", {"from": "Sam"}, "Hello", "Sam: Hello"),
        ("cancellation", {"reason": "No budget"}, None, "No budget"),
        ("cancellation", {}, None, ""),
    ],
)
def test_an_entry_says_what_it_holds(
    kind: str, payload: dict[str, Any] | None, text: str | None, words: str
) -> None:
    entry = TimelineEntry(
        id=make_id(1),
        kind=kind,
        happened_at=NOON,
        recorded_at=NOON,
        payload=payload,
        text=text,
    )
    assert describe_entry(entry) == words


def test_money_of_two_currencies_is_never_added() -> None:
    assert format_sums([("USD", Decimal(5)), ("EUR", Decimal(3)), ("USD", Decimal(2)), ("", Decimal(9))]) == (
        "EUR 3 + USD 7"
    )
    assert format_sums([("USD", None)]) == ""


def test_a_state_of_a_newer_service_is_shown_as_it_is() -> None:
    assert format_state("on_hold") == "on hold"


@pytest.mark.parametrize(
    "attack",
    [
        "<script>alert(1)</script>",
        '<img src=x onerror="alert(1)">',
        '<a href="javascript:alert(1)">',
        '<p style="position:fixed" onclick="x()">',
        "<iframe src=//evil></iframe>",
        "<svg/onload=alert(1)>",
        '<form action="//evil"><input></form>',
        "<style>*{display:none}</style>",
    ],
)
def test_an_answer_runs_and_loads_nothing(attack: str) -> None:
    clean = sanitize_html(f"before {attack} <b>after</b>")
    assert clean.startswith("before")
    assert "<b>after</b>" in clean
    for word in ("alert", "src", "href", "style", "on", "evil", "form", "svg"):
        assert word not in clean


def test_an_offer_has_its_price_per_unit_and_month_on_its_own_terms() -> None:
    of = Timeline.model_validate(
        {
            "negotiationId": make_id(1),
            "status": "active",
            "engagementType": "strategy_only",
            "contactName": "Kim",
            "contactEmail": "kim@example.com",
            "strategy": {"levers": []},
            "entries": [],
            "documents": [],
            "participants": [],
            "mails": [],
            "quantity": 10,
            "termMonths": 12,
        }
    )

    def offer(**payload: Any) -> TimelineEntry:
        return TimelineEntry(
            id=make_id(2),
            kind="quote",
            happened_at=NOON,
            recorded_at=NOON,
            amount=Decimal(2400),
            payload=payload,
        )

    assert format_entry_unit_price(offer(), "USD", of).startswith("USD 20 per")
    assert format_entry_unit_price(offer(termLength=24), "USD", of).startswith("USD 10 per")
    assert format_entry_unit_price(offer(lines=[{"quantity": 5}]), "USD", of).startswith("USD 40 per")
    assert format_entry_unit_price(offer(lines=[{"quantity": 5}, {"quantity": 1}]), "USD", of) == ""
    assert format_entry_unit_price(offer(), "USD", None) == ""


def test_a_correction_says_which_amount_it_replaced() -> None:
    def entry(number: int, kind: str, amount: int | None, corrects: int | None = None) -> TimelineEntry:
        return TimelineEntry(
            id=make_id(number),
            kind=kind,
            happened_at=NOON,
            recorded_at=NOON,
            amount=None if amount is None else Decimal(amount),
            corrects=None if corrects is None else make_id(corrects),
        )

    entries = [
        entry(1, "quote", 90),
        entry(2, "quote", 80),
        entry(3, "correction", 900, corrects=1),
        entry(4, "correction", 900, corrects=1),  # of another field
        entry(5, "correction", 910, corrects=1),
        entry(6, "correction", None, corrects=2),  # a withdrawal
    ]
    assert find_replaced_amounts(entries[::-1]) == {make_id(3): 90, make_id(5): 900}


@pytest.mark.parametrize(
    ("kind", "purchases", "words"),
    [
        ("fiscal_year_end", 0, ""),
        ("fiscal_year_end", 12, "(12 purchases)"),
        ("uplift_cap", 0, "(read in the document)"),
        ("volume", 40, "(40 purchases)"),
    ],
)
def test_a_lever_says_where_it_is_known_from(kind: str, purchases: int, words: str) -> None:
    said = describe_lever(Lever(kind=kind, statement="A fact.", purchases=purchases, tightens=False), "USD")
    assert said == " ".join(filter(None, ("A fact.", words and f":gray[{words}]")))
