"""A negotiation is shown with its figures and offers."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from app.contract.negotiation import Timeline, TimelineEntry
from components.catalog.faq_list import sanitize_html
from components.fixtures import NOON, make_id
from components.negotiations.fixtures import make_negotiation
from components.negotiations.negotiation_card import format_sums, make_card
from components.negotiations.negotiation_state import count_open_escalations, format_state, get_latest_figures
from components.negotiations.offer_timeline import (
    describe_offers,
    list_points_of_entries,
    list_points_of_summaries,
    list_valid_offers,
    make_offer_figure,
)
from components.negotiations.timeline_entries import describe_entry, format_entry_unit_price


def test_each_figure_is_the_newest_that_is_known() -> None:
    summaries = make_negotiation().executive_summaries
    summaries[0].figures.target = None
    figures = get_latest_figures(summaries)
    assert figures.quoted == 56_000
    assert figures.target == 45_100


def test_offers_are_drawn_in_the_order_in_which_they_came() -> None:
    moments = list_points_of_summaries(make_negotiation().executive_summaries)
    offers = next(trace for trace in make_offer_figure(moments, "USD")["data"] if trace["name"] == "Offer")
    assert offers["y"] == [60_000, 56_000]
    assert describe_offers(moments, "USD").startswith("Offers over time: USD 60,000, then USD 56,000.")


def test_a_number_that_came_into_force_late_measures_the_offers_before_it() -> None:
    def entry(number: int, kind: str, days: int, recorded: int, **more: Any) -> TimelineEntry:
        return TimelineEntry(
            id=make_id(number),
            kind=kind,
            happened_at=NOON + timedelta(days=days),
            recorded_at=NOON + timedelta(days=recorded),
            **more,
        )

    numbers = {"opening": Decimal(1), "target": Decimal(2), "walk_away": Decimal(3)}
    entries = [
        entry(2, "quote", 0, 5, amount=Decimal(9), **numbers),
        entry(1, "planned", 4, 4, **numbers),
        entry(3, "quote", 6, 6, amount=Decimal(8), **numbers | {"target": Decimal(1)}),
    ]
    drawn = {
        trace["name"]: trace for trace in make_offer_figure(list_points_of_entries(entries), "USD")["data"]
    }
    assert drawn["Offer"]["y"] == [9, 8]
    assert drawn["Target"]["x"][0] < drawn["Offer"]["x"][0]
    assert drawn["Target"]["x"][-1] > drawn["Offer"]["x"][-1]
    assert drawn["Target"]["y"][0] == 2
    assert drawn["Target"]["y"][-1] == 1


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
            "for 2 years (24 months), valid until 2026-12-01",
        ),
        ("decision", {"decision": "walk_away", "note": "too dear"}, None, "walk away: too dear"),
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


@pytest.mark.parametrize(("status", "stake"), [("active", 56_000), ("complete", None), ("cancelled", None)])
def test_what_is_over_is_not_at_stake(status: str, stake: int | None) -> None:
    assert make_card(make_negotiation(status)).at_stake == stake


def test_decisions_that_are_waited_for_are_counted() -> None:
    negotiation = make_negotiation()
    assert count_open_escalations(negotiation) == 1
    negotiation.escalations[0].status = "expired"
    assert count_open_escalations(negotiation) == 0


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


def test_withdrawn_offers_are_not_drawn_and_corrected_ones_as_corrected() -> None:
    def entry(number: int, kind: str, amount: int | None = None, **more: Any) -> TimelineEntry:
        return TimelineEntry(
            id=make_id(number),
            kind=kind,
            happened_at=NOON + timedelta(hours=number),
            recorded_at=NOON + timedelta(hours=number),
            amount=None if amount is None else Decimal(amount),
            **more,
        )

    entries = [
        entry(1, "quote", 900, status="withdrawn"),
        entry(2, "quote", 800, status="corrected"),
        entry(3, "quote", 700),
        entry(4, "correction", corrects=make_id(1)),
        entry(5, "correction", 80, corrects=make_id(2)),
    ]
    assert [one.amount for one in list_valid_offers(entries)] == [80, 700]
    assert [moment.offer for moment in list_points_of_entries(entries)] == [80, 700]
