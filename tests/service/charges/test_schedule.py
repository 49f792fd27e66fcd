"""Single deals: what changes in the middle, what is not stated, and what no deal has."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.service.charges.charge import (
    Amount,
    Charge,
    ChargeFault,
    DiscountAbovePrice,
    InvalidCharge,
    MixedCurrencies,
    NotComparable,
    OutsideTerm,
    Step,
    round_money,
    share_out,
    smallest_amount,
)
from app.service.charges.schedule import Adjustment, Schedule
from tests.service.charges.deals import total_of_years

USERS = Charge(
    what="Analytics",
    currency="USD",
    kind="recurring",
    per="month",
    quantity=150,
    unit="user",
    rate=Fraction("101.50"),
    start_month=0,
    months=12,
)
RAMP = [
    replace(USERS, quantity=quantity, start_month=first)
    for first, quantity in ((0, 150), (12, 200), (24, 250))
]
SETUP = Charge(
    what="Setup", currency="USD", kind="one_time", per="once", quantity=1, price=5000, start_month=0
)


def build(*charges: Charge, term: int | None = 36, **others: object) -> Schedule:
    return Schedule(charges, "USD", term, "before", **others)  # type: ignore[arg-type]


def test_a_ramp_costs_its_years() -> None:
    ramp = build(*RAMP, SETUP)
    assert ramp.total().value == Decimal("735800.00")
    assert [one.value for one in total_of_years(ramp)] == [187700, 243600, 304500]


@pytest.mark.parametrize(
    ("charge", "amount"),
    [
        (replace(USERS, quantity=None), None),
        (replace(USERS, rate=None), None),
        (replace(USERS, per=None), None),
        (replace(USERS, months=None), None),
        (replace(USERS, rate=0, months=None), 0),
        (replace(USERS, rate=None, status="included"), 0),
        (replace(USERS, quantity=0), 0),
        (replace(USERS, per="quarter", rate=30, months=7), 150 * 30 * Fraction(7, 3)),
        (replace(USERS, rate=Fraction(12), basis=100), 216),
        (replace(USERS, minimum=200, rate=1), 2400),
        (replace(USERS, rate=10, steps=[Step(100, 8), Step(200, 5)]), 150 * 8 * 12),
        (replace(USERS, rate=10, steps=[Step(100, 8), Step(200, 5)], incremental=True), (1000 + 400) * 12),
        (replace(USERS, kind="usage", per="use", quantity=10**9, rate=Fraction(1, 100_000)), 10_000),
    ],
)
def test_a_charge_costs_what_is_stated_and_nothing_that_is_not(charge: Charge, amount: int | None) -> None:
    assert charge.amount == amount


def test_an_amount_names_what_is_missing_in_it() -> None:
    partial = build(USERS, replace(USERS, what="Support", rate=None)).total()
    assert partial.covers.missing == {"Support"}
    assert partial.value == 182700
    with pytest.raises(NotComparable, match="Support"):
        partial.compare(partial)


def test_when_and_whether_something_is_paid_again_is_not_guessed() -> None:
    unknown = build(
        replace(USERS, kind=None, per="term", months=24), replace(USERS, what="Late", start_month=None)
    )
    assert unknown.total().covers.missing == frozenset()
    assert unknown.total(kinds=frozenset({"recurring"})).covers.missing == {"Analytics"}
    assert [one.covers.missing for one in total_of_years(unknown)] == [
        {"Analytics", "Late"},
        {"Analytics", "Late"},
        {"Late"},
    ]


@pytest.mark.parametrize("term", [1, 12, 37, 1200])
def test_a_term_of_any_length_has_its_years(term: int) -> None:
    yearly = build(replace(USERS, per="year", rate=100, months=term), term=term)
    years = total_of_years(yearly)
    assert len(years) == -(-term // 12)
    assert sum(one.value for one in years) == yearly.total().value == Fraction(150 * 100 * term, 12)


@pytest.mark.parametrize(
    ("make", "fault", "words"),
    [
        (lambda: build(USERS, term=0), InvalidCharge, "not 0"),
        (lambda: build(USERS, term=1201), InvalidCharge, "not 1201"),
        (lambda: build(replace(USERS, start_month=-12)), OutsideTerm, "12 months before"),
        (lambda: build(replace(USERS, start_month=30)), OutsideTerm, "6 months after"),
        (lambda: build(USERS, replace(SETUP, currency="EUR")), MixedCurrencies, "EUR and USD"),
        (lambda: replace(USERS, quantity=-1), InvalidCharge, "quantity is negative"),
        (lambda: replace(USERS, rate=-1), InvalidCharge, "no credit"),
        (lambda: replace(SETUP, price=-1, list_price=50), DiscountAbovePrice, "Setup"),
        (lambda: replace(USERS, status="credit"), InvalidCharge, "credit"),
        (lambda: replace(USERS, status="included"), InvalidCharge, "included"),
        (lambda: replace(USERS, months=0), InvalidCharge, "0 months"),
        (lambda: replace(USERS, basis=0), InvalidCharge, "above 0"),
        (lambda: replace(USERS, price=1), InvalidCharge, "both stated"),
        (lambda: replace(USERS, per="once"), InvalidCharge, "per once"),
        (lambda: Adjustment("Discount", percent=-101), DiscountAbovePrice, "Discount"),
        (lambda: Adjustment("Discount"), InvalidCharge, "either"),
        (
            lambda: build(SETUP, adjustments=[Adjustment("Rebate", amount=-5001)]).total(),
            DiscountAbovePrice,
            "Rebate",
        ),
    ],
)
def test_what_no_deal_has_is_refused_with_its_name(
    make: Callable[[], object], fault: type[ChargeFault], words: str
) -> None:
    with pytest.raises(fault, match=words):
        make()


def test_discounts_apply_one_after_the_other_to_their_kinds() -> None:
    off = [Adjustment("A", percent=-10, kinds=frozenset({"recurring"})), Adjustment("B", amount=-1000)]
    deal = build(replace(USERS, rate=10), SETUP, adjustments=off)
    assert deal.total(adjusted=False).value == 23000
    assert deal.total().value == 18000 * Fraction("0.9") + 5000 - 1000
    assert deal.total(only=[0]).value + deal.total(only=[1]).value == deal.total().value


@pytest.mark.parametrize(
    ("one", "other", "difference"),
    [
        (build(USERS), build(USERS, term=24), "months"),
        (build(USERS), build(replace(USERS, quantity=151)), "bought"),
        (build(USERS), build(SETUP), "bought"),
        (build(USERS), Schedule([replace(USERS, currency="EUR")], "EUR", 36, "before"), "currency"),
        (build(USERS), replace(build(USERS), tax="included"), "tax"),
    ],
)
def test_amounts_that_cover_different_things_do_not_compare(
    one: Schedule, other: Schedule, difference: str
) -> None:
    with pytest.raises(NotComparable, match=f"differ in {difference}"):
        assert one.total() < other.total()


def test_amounts_compare_over_the_same_and_over_nothing_else() -> None:
    one, years = build(USERS).total(), total_of_years(build(USERS, SETUP))
    with pytest.raises(NotComparable, match="first_month"):
        _ = years[0] < years[1]
    assert one < Amount(one.value + 1, one.covers)


@pytest.mark.parametrize(
    ("value", "currency", "rounded"),
    [
        (Fraction(1, 100_000), "USD", "0.00"),
        (Fraction("0.005"), "USD", "0.01"),
        (Fraction("-0.005"), "USD", "-0.01"),
        (Fraction(1, 3), "USD", "0.33"),
        (Fraction("1234.5"), "JPY", "1235"),
        (Fraction("0.0005"), "KWD", "0.001"),
        (10**15, "EUR", "1000000000000000.00"),
    ],
)
def test_an_amount_is_rounded_to_the_decimals_of_its_currency(
    value: Fraction, currency: str, rounded: str
) -> None:
    assert str(round_money(value, currency)) == rounded


@pytest.mark.campaign
@given(
    st.decimals(0, 10**9, places=2).map(Fraction),
    st.lists(st.fractions(0, 10**6, max_denominator=1000), min_size=1).filter(any),
    st.sampled_from(["USD", "JPY", "KWD"]),
)
def test_shares_of_an_amount_add_up_to_it(whole: Fraction, weights: list[Fraction], currency: str) -> None:
    parts = share_out(whole, weights, currency)
    assert sum(parts) == round_money(whole, currency)
    for part, weight in zip(parts, weights, strict=True):
        assert part >= 0
        assert abs(Fraction(part) - whole * weight / sum(weights)) <= smallest_amount(currency)
