"""The savings of agreements and the savings report."""

from collections.abc import Sequence
from datetime import UTC, datetime
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from app.contract.pricing import PERCENTILES
from app.service.negotiation.offers.offer import Offer
from app.service.negotiation.offers.savings import (
    PreviousPurchasePrice,
    Savings,
    measure_savings,
    select_main,
)
from app.service.negotiation.strategy.strategy import PriceEvidence, Strategy, build_strategy
from tests.service.negotiation.negotiation_driver import NegotiationDriver

MONEY = st.decimals("0.01", "999999999999", places=2)
NOW = datetime(2026, 11, 20, tzinfo=UTC)


def strategy(target: Decimal) -> Strategy:
    """Any strategy with this target; its median is twice that."""
    at = {percent: target if percent <= 25 else target * 2 for percent in PERCENTILES}
    return build_strategy(PriceEvidence(at, 12, "USD"), [])


@given(st.lists(MONEY), MONEY, MONEY | st.none(), MONEY | st.none())
def test_savings_are_measured_against_every_known_baseline(
    offers: Sequence[Decimal], agreed: Decimal, target: Decimal | None, paid: Decimal | None
) -> None:
    numbers = strategy(target) if target is not None else None
    previous = PreviousPurchasePrice(paid, "last year") if paid is not None else None
    found = measure_savings(agreed, [Offer("x", NOW, amount, "USD") for amount in offers], numbers, previous)
    expected = {
        "first_offer": offers[0] if offers else None,
        "target": target,
        "previous_price": paid,
        "median_estimate": target * 2 if target is not None else None,
    }
    known = {against: baseline for against, baseline in expected.items() if baseline is not None}
    assert {one.against: one.baseline for one in found} == known
    for one in found:
        assert one.saved == one.baseline - agreed
        assert one.basis
        assert Savings.from_record(one.to_record()) == one
        if one.rate is not None:
            assert abs(one.rate - 100 * one.saved / one.baseline) <= Decimal("0.005")
    main = select_main(found)
    against = "first_offer" if offers else "median_estimate" if target is not None else None
    assert (main.against if main else None) == against


def test_an_offer_for_something_else_is_not_a_baseline() -> None:
    other = Offer("x", NOW, Decimal(9), "USD", fits_scope=False)
    assert measure_savings(Decimal(5), [other], None) == []


def test_an_implausible_savings_rate_is_none() -> None:
    assert Savings("first_offer", Decimal("1E-300"), Decimal(1)).rate is None


def test_the_report_sums_by_supplier_month_and_category_within_each_currency(
    driver: NegotiationDriver,
) -> None:
    quoted = {"first": (2000, 1500, "2026-10-05"), "second": (1000, 1100.5, "2026-11-01")}
    for first, agreed, signed in quoted.values():
        negotiation_id = driver.start_planned()
        driver.quote(negotiation_id, first)
        driver.update(negotiation_id, "agreement", amount=agreed, currency="USD", signedAt=signed)
    euros = driver.start_planned(scope=None, supplier={"name": "Elsewhere"})
    (waiting,) = driver.escalations(euros)
    driver.update(euros, "decision", escalationId=waiting["id"], decision="go_ahead")
    driver.quote(euros, 10, currency="EUR")
    driver.update(euros, "agreement", amount=9, currency="EUR", signedAt="2026-11-02T08:00:00Z")
    open_still = driver.start_planned()
    driver.quote(open_still, 77)

    report = driver.get("/v1/negotiation/savings")
    by_currency = {row["currency"]: row for row in report["total"]}
    assert by_currency["USD"]["savings"] == 399.5
    assert by_currency["USD"]["savingsRate"] == 13.32
    assert (by_currency["USD"]["baseline"], by_currency["USD"]["agreed"]) == (3000, 2600.5)
    assert by_currency["EUR"]["savings"] == 1
    months = {(row["key"], row["currency"]): row["savings"] for row in report["byMonth"]}
    assert months == {("2026-10", "USD"): 500, ("2026-11", "USD"): -100.5, ("2026-11", "EUR"): 1}
    suppliers = {row["name"]: row["negotiations"] for row in report["bySupplier"]}
    assert suppliers == {"Seller 24": 2, "Elsewhere": 1}
    assert len(report["negotiations"]) == 3
    assert all(row["purchases"] >= 5 for row in report["negotiations"] if row["currency"] == "USD")
