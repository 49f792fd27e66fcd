"""Random deals, and the ways to write one down."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.service.charges.charge import Amount, Charge, Number
from app.service.charges.schedule import Adjustment, Schedule, list_years

CURRENCIES = ("USD", "EUR", "JPY", "KWD")


@dataclass(frozen=True)
class Item:
    """So many units of something; `price` is that of a unit, for a month unless it is paid `once`."""

    what: str
    quantity: Fraction
    price: Fraction
    once: bool = False


@dataclass(frozen=True)
class Deal:
    """What is bought and what that costs, before anybody writes it down. `cut` is a part of the term and of
    each quantity at which a line may be split; `percent` is a discount on the whole."""

    items: Sequence[Item]
    months: int
    currency: str
    cut: Fraction
    percent: Fraction

    @property
    def adjustments(self) -> list[Adjustment]:
        return [Adjustment("Discount", percent=-self.percent)] if self.percent else []

    def write(self, way: "Callable[[Item, Deal], list[Charge]]") -> Schedule:
        lines = [
            line for item in self.items for line in (write_once(item, self) if item.once else way(item, self))
        ]
        return Schedule(lines, self.currency, self.months, "before", self.adjustments)


def build_charge(item: Item, deal: Deal, **figures: Number | str | None) -> Charge:
    """A charge of an item for the whole term, with other figures."""
    charge = Charge(
        what=item.what,
        currency=deal.currency,
        kind="recurring",
        per="month",
        quantity=item.quantity,
        unit="user",
        rate=item.price,
        start_month=0,
        months=deal.months,
    )
    return replace(charge, **figures)  # type: ignore[arg-type]


def write_once(item: Item, deal: Deal) -> list[Charge]:
    return [build_charge(item, deal, kind="one_time", per="once", months=None)]


def per_month(item: Item, deal: Deal) -> list[Charge]:
    return [build_charge(item, deal)]


def per_quarter(item: Item, deal: Deal) -> list[Charge]:
    return [build_charge(item, deal, per="quarter", rate=item.price * 3)]


def per_year(item: Item, deal: Deal) -> list[Charge]:
    return [build_charge(item, deal, per="year", rate=item.price * 12)]


def for_the_term(item: Item, deal: Deal) -> list[Charge]:
    return [build_charge(item, deal, per="term", rate=item.price * deal.months)]


def as_amount(item: Item, deal: Deal) -> list[Charge]:
    """Only what all units cost over the term."""
    whole = item.price * item.quantity * deal.months
    return [build_charge(item, deal, per="term", rate=None, price=whole)]


def total_of_years(schedule: Schedule) -> list[Amount]:
    """What each year of the term costs."""
    assert schedule.term_months is not None
    return [schedule.total(span=year) for year in list_years(schedule.term_months)]


def year_by_year(item: Item, deal: Deal) -> list[Charge]:
    """An amount for each year, the last of which may be shorter."""
    return [
        build_charge(
            item,
            deal,
            per="term",
            rate=None,
            price=item.price * item.quantity * months,
            start_month=first,
            months=months,
        )
        for first, months in list_years(deal.months)
    ]


def as_ramp(item: Item, deal: Deal) -> list[Charge]:
    """A yearly price for each year, with the same quantity in all of them."""
    return [
        build_charge(item, deal, per="year", rate=item.price * 12, start_month=first, months=months)
        for first, months in list_years(deal.months)
    ]


def split(item: Item, deal: Deal) -> list[Charge]:
    """Two lines of a part of the quantity each."""
    part = item.quantity * deal.cut
    return [build_charge(item, deal, quantity=one) for one in (part, item.quantity - part)]


def prorated(item: Item, deal: Deal) -> list[Charge]:
    """A first part that ends within a month, and the rest, at yearly prices."""
    first = deal.months * deal.cut
    return [
        build_charge(item, deal, per="year", rate=item.price * 12, start_month=start, months=months)
        for start, months in ((Fraction(0), first), (first, deal.months - first))
    ]


def per_thousand(item: Item, deal: Deal) -> list[Charge]:
    return [build_charge(item, deal, rate=item.price * 1000, basis=1000)]


WAYS: Mapping[str, Callable[[Item, Deal], list[Charge]]] = {
    one.__name__: one
    for one in (
        *(per_month, per_quarter, per_year, for_the_term, as_amount),
        *(year_by_year, as_ramp, split, prorated, per_thousand),
    )
}

prices = st.one_of(
    st.integers(0, 10**6).map(lambda cents: Fraction(cents, 100)),
    st.sampled_from([Fraction(1, 100_000), Fraction(1, 3), Fraction(0)]),
)
"""In cents; a thousandth of a cent, what has no decimals, nothing."""
quantities = st.one_of(st.integers(1, 5000).map(Fraction), st.sampled_from([Fraction(1, 4), Fraction(10**9)]))
months = st.one_of(st.integers(1, 72), st.sampled_from([1, 12, 36, 37, 1200]))


@st.composite
def deals(draw: st.DrawFn) -> Deal:
    """Deals of one to three things, of which one may be paid once."""
    count = draw(st.integers(1, 3))
    items = [
        Item(f"thing {at}", draw(quantities), draw(prices), once=at > 0 and draw(st.booleans()))
        for at in range(count)
    ]
    return Deal(
        items,
        draw(months),
        draw(st.sampled_from(CURRENCIES)),
        draw(st.sampled_from([Fraction(1, 2), Fraction(1, 7), Fraction(99, 100)])),
        draw(st.sampled_from([Fraction(0), Fraction(5), Fraction(25, 2), Fraction(100)])),
    )


def law(*drawn: st.SearchStrategy[Any]) -> Callable[[Callable[..., None]], Callable[[int], None]]:
    """Make a check of what is `drawn` a test of 40 examples, and of 5,000 in the campaign."""

    def build_test(check: Callable[..., None]) -> Callable[[int], None]:
        @pytest.mark.timeout(1800)
        @pytest.mark.parametrize("number", [40, pytest.param(5000, marks=pytest.mark.campaign)])
        def test(number: int) -> None:
            settings(max_examples=number, deadline=None)(given(*drawn)(check))()

        return test

    return build_test
