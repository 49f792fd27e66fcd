"""The savings of agreements and the savings report."""

from collections.abc import Sequence
from datetime import UTC, datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.contract.pricing import PERCENTILES
from app.service.negotiation.offers.offer import Offer
from app.service.negotiation.offers.savings import (
    Baseline,
    Savings,
    find_negotiated_months,
    list_baselines,
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
    return build_strategy(PriceEvidence(at, 12, "USD"))


@pytest.mark.campaign
@given(st.lists(MONEY), MONEY, MONEY | st.none(), MONEY | st.none())
def test_savings_are_measured_against_every_known_baseline(
    offers: Sequence[Decimal], agreed: Decimal, target: Decimal | None, paid: Decimal | None
) -> None:
    numbers = strategy(target) if target is not None else None
    previous = Baseline("previous_price", paid, 12, "last year") if paid is not None else None
    made = [Offer("x", NOW, amount, "USD") for amount in offers]
    found = measure_savings(agreed, 12, list_baselines(made, numbers, 12, previous))
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
    assert list_baselines([other], None, 12) == []


@pytest.mark.parametrize(
    ("offered", "scope_months", "agreed", "measured"),
    [
        (36, None, 36, "first_offer target median_estimate"),
        (36, None, 12, ""),
        (36, None, None, "first_offer target median_estimate"),
        (36, 12, 36, "first_offer"),
        (36, 12, None, "target median_estimate"),
        (36, 12, 12, "target median_estimate"),
        (None, 12, 12, "first_offer target median_estimate"),
        (None, 12, 36, ""),
        (None, None, 36, ""),
        (None, None, None, "first_offer target median_estimate"),
    ],
)
def test_the_first_offer_counts_for_the_months_that_it_names(
    offered: int | None, scope_months: int | None, agreed: int | None, measured: str
) -> None:
    """A price that names none counts for those of the scope, or of the first offer; one whose months are
    known is not measured against one whose months are not."""
    first = Offer("x", NOW, Decimal(3600), "USD", term_length=offered)
    later = Offer("y", NOW, Decimal(3000), "USD", term_length=24)
    negotiated = find_negotiated_months([first, later], scope_months)
    baselines = list_baselines([first, later], strategy(Decimal(900)), negotiated)
    found = measure_savings(Decimal(800), agreed or negotiated, baselines)
    assert [one.against for one in found] == measured.split()
    assert all(one.saved == 2800 for one in found if one.against == "first_offer")


def test_an_implausible_savings_rate_is_none() -> None:
    assert Savings("first_offer", Decimal("1E-300"), Decimal(1)).rate is None


@pytest.mark.campaign
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


@pytest.mark.campaign
@pytest.mark.parametrize(("amount", "months"), [(7000, 6), (30_000, 36)])
def test_a_price_for_another_term_is_not_measured_against_what_is_for_the_scopes_term(
    driver: NegotiationDriver, amount: float, months: int
) -> None:
    """Of another length, a cheaper price per month has the higher total, and the other way round."""
    negotiation_id = driver.start_planned()
    driver.quote(negotiation_id, 12_600, termLength=12)
    driver.update(negotiation_id, "agreement", amount=amount, currency="USD", termLength=months)
    why = (
        "The price was agreed for another term than that of the first offer, the target and the median"
        " estimate, and is not measured against them."
    )
    timeline = driver.timeline(negotiation_id)
    (listed,) = driver.get("/v1/negotiation")["data"]
    report = driver.get("/v1/negotiation/savings")
    (reported,) = report["negotiations"]
    assert timeline["measures"] == listed["measures"] == reported["measures"] == []
    assert timeline["unmeasured"] == reported["unmeasured"] == why
    assert report["total"] == []
    assert not {"against", "savings", "savingsRate", "baseline", "target"} & reported.keys()
    newest = driver.summary(negotiation_id)["executiveSummaries"][0]
    assert newest["text"] == f"Agreed at USD {amount:,}. {why}"
    assert newest["figures"] == {"agreed": amount}


@pytest.mark.campaign
def test_a_price_for_the_term_of_the_scope_is_measured_against_an_offer_without_a_term(
    driver: NegotiationDriver,
) -> None:
    negotiation_id = driver.start_planned()
    driver.quote(negotiation_id, 12_600)
    driver.update(negotiation_id, "agreement", amount=12_000, currency="USD", termLength=12)
    timeline = driver.timeline(negotiation_id)
    assert timeline["measures"][0]["saved"] == 600
    assert "unmeasured" not in timeline


def test_an_accepted_offer_is_agreed_for_its_own_term(driver: NegotiationDriver) -> None:
    """What is paid for three years is not measured against what one year should cost."""
    negotiation_id = driver.start_planned()
    driver.quote(negotiation_id, 1_200)
    driver.quote(negotiation_id, 3_000, termLength=36)
    driver.update(negotiation_id, "agreement", amount=3_000, currency="USD")
    timeline = driver.timeline(negotiation_id)
    assert timeline["measures"] == []
    assert "another term than that of the first offer, the target and" in timeline["unmeasured"]
