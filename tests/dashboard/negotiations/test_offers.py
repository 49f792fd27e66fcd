"""Offers and numbers are drawn as they were made, corrected or withdrawn."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

from app.contract.negotiation import TimelineEntry
from app.dashboard.negotiations.update_reports import (
    list_points_of_entries,
    list_points_of_summaries,
    list_valid_offers,
)
from components.negotiations.timeline import describe_offers, make_offer_figure
from tests.components.fixtures import NOON, make_id
from tests.components.negotiations.fixtures import make_negotiation


def test_offers_are_drawn_in_the_order_in_which_they_came() -> None:
    points = list_points_of_summaries(make_negotiation().executive_summaries)
    offers = next(
        trace for trace in make_offer_figure(points, "USD")["data"] if trace["name"] == "Supplier's offer"
    )
    assert offers["y"] == [60_000, 56_000]
    assert describe_offers(points, "USD").startswith(
        "The supplier's offers over time: USD 60,000, then USD 56,000."
    )


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
        trace["name"].partition(" USD")[0]: trace
        for trace in make_offer_figure(list_points_of_entries(entries), "USD")["data"]
    }
    assert drawn["Supplier's offer"]["y"] == [9, 8]
    assert drawn["Target"]["x"][0] < drawn["Supplier's offer"]["x"][0]
    assert drawn["Target"]["x"][-1] > drawn["Supplier's offer"]["x"][-1]
    assert drawn["Target"]["y"][0] == 2
    assert drawn["Target"]["y"][-1] == 1


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
        entry(5, "correction", 80, corrects=make_id(2), payload={"termLength": 36}),
    ]
    assert [one.payload for one in list_valid_offers(entries)] == [{"termLength": 36}, {}]
    assert [one.amount for one in list_valid_offers(entries)] == [80, 700]
    assert [figures.quoted for _, figures in list_points_of_entries(entries)] == [80, 700]


def test_our_counters_stand_beside_their_offers_and_amounts_are_as_in_sentences() -> None:
    def entry(number: int, kind: str, amount: str | None, **more: Any) -> TimelineEntry:
        at = NOON + timedelta(days=number)
        exact = None if amount is None else Decimal(amount)
        return TimelineEntry(
            id=make_id(number), kind=kind, happened_at=at, recorded_at=at, amount=exact, **more
        )

    entries = [
        entry(
            1,
            "planned",
            None,
            opening=Decimal(1_000_000),
            target=Decimal(1_100_000),
            walk_away=Decimal(2_000_000),
        ),
        entry(2, "quote", "1182605.40"),
        entry(3, "decision", "1050000"),
        entry(4, "decision", None),
        entry(5, "agreement", "1100000"),
    ]
    points = list_points_of_entries(entries)
    figure = make_offer_figure(points, "USD")
    drawn = {trace["name"]: trace for trace in figure["data"]}
    assert drawn["Our counter"]["y"] == [1_050_000]
    assert drawn["Our counter"]["marker"] != drawn["Supplier's offer"]["marker"]
    assert drawn["Supplier's offer"]["text"][0].startswith("Supplier's offer: USD 1,182,605<br>")
    assert "Target USD 1,100,000" in drawn
    assert "Walk-away USD 2,000,000" in drawn
    assert figure["layout"]["yaxis"]["tickprefix"] == "USD "
    alt = describe_offers(points, "USD")
    assert "Our counter-offers: USD 1,050,000." in alt
    assert "The walk-away is USD 2,000,000." in alt
