"""What holds for each deal, whatever it is and however it is written; for 5,000 random deals each:

pytest -m campaign tests/service/charges
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import strategies as st

from app.service.charges.charge import ALL_KINDS, FIRM, Amount, Charge, Kind, Number, Status
from app.service.charges.schedule import Adjustment, Schedule
from tests.service.charges.deals import WAYS, Deal, build_charge, deals, law, per_month, total_of_years

Figures = tuple[Amount, Amount, Amount, Amount, list[Amount]]
ONCE: frozenset[Kind] = frozenset({"one_time"})
AGAIN: frozenset[Kind] = frozenset({"recurring"})


def compute_figures(schedule: Schedule) -> Figures:
    return (
        schedule.total(),
        schedule.total(adjusted=False),
        schedule.total(kinds=AGAIN),
        schedule.total(kinds=ONCE),
        total_of_years(schedule),
    )


@pytest.mark.campaign
@law(deals())
def test_a_deal_costs_the_same_however_it_is_written(deal: Deal) -> None:
    """The same deal costs the same in each way, covers the same, and costs what multiplication says."""
    factor = 1 - deal.percent / 100
    expected = compute_figures(deal.write(per_month))
    recurring = sum(
        (one.quantity * one.price * deal.months for one in deal.items if not one.once), Fraction(0)
    )
    once = sum((one.quantity * one.price for one in deal.items if one.once), Fraction(0))
    assert [one.value for one in expected[:4]] == [
        *((recurring + once) * factor, recurring + once, recurring * factor, once * factor)
    ]
    for way in WAYS.values():
        assert compute_figures(deal.write(way)) == expected, way.__name__


@law(deals(), st.sampled_from(list(WAYS.values())))
def test_years_kinds_and_lines_add_up_to_the_whole(deal: Deal, way: Callable[..., list[Charge]]) -> None:
    schedule = deal.write(way)
    whole = schedule.total()
    assert sum(one.value for one in total_of_years(schedule)) == whole.value
    assert schedule.total(kinds=AGAIN).value + schedule.total(kinds=ONCE).value == whole.value
    lines = [schedule.total(only=[at]) for at in range(len(schedule.charges))]
    assert sum(one.value for one in lines) == whole.value
    assert not isinstance(whole.value, float)


@law(deals(), st.integers(1, 12), st.sampled_from([0, 7, Fraction(1, 3)]))
def test_another_year_adds_its_price(deal: Deal, length: int, price: Number) -> None:
    if deal.months + length > 1200:
        return
    schedule = deal.write(per_month)
    year = build_charge(deal.items[0], deal, start_month=deal.months, months=length, rate=price)
    longer = Schedule(
        [*schedule.charges, year], deal.currency, deal.months + length, "before", deal.adjustments
    )
    added = longer.total(span=(deal.months, length))
    assert added.value == price * deal.items[0].quantity * length * (1 - deal.percent / 100)
    assert longer.total().value == schedule.total().value + added.value


@law(deals(), st.sampled_from(["optional", "alternative", "credit"]))
def test_what_is_not_firm_is_in_no_total_that_does_not_say_so(deal: Deal, status: Status) -> None:
    schedule = deal.write(per_month)
    price = -500 if status == "credit" else 500
    aside = replace(
        schedule.charges[0], what="aside", quantity=None, rate=None, price=price, per="term", status=status
    )
    with_it = replace(schedule, charges=[*schedule.charges, aside])
    assert compute_figures(with_it) == compute_figures(schedule)
    counted = with_it.total(statuses=frozenset[Status]({*FIRM, status}))
    assert counted.value == schedule.total().value + price
    assert counted.covers.statuses != schedule.total().covers.statuses


@law(deals(), st.sampled_from(list(WAYS.values())), st.integers(1, 99))
def test_a_discount_as_an_amount_is_spread_like_one_in_per_cent(
    deal: Deal, way: Callable[..., list[Charge]], percent: int
) -> None:
    schedule = replace(deal.write(way), adjustments=())
    whole = schedule.total()
    off: Sequence[Adjustment] = [Adjustment("Discount", amount=-Fraction(percent, 100) * whole.value)]
    in_percent = replace(schedule, adjustments=[Adjustment("Discount", percent=-percent)])
    assert compute_figures(replace(schedule, adjustments=off)) == compute_figures(in_percent)
    assert whole.covers.kinds == ALL_KINDS


@pytest.mark.campaign
@law(deals(), st.sampled_from(list(WAYS.values())), st.fractions(0, 100_000, max_denominator=100))
def test_the_least_that_is_paid_is_never_missed(
    deal: Deal, way: Callable[..., list[Charge]], least: Fraction
) -> None:
    schedule = deal.write(way)
    total = schedule.total().value
    assert schedule.find_shortfall(least) == max(0, least - total)
    by_year = schedule.find_shortfall(least, 12)
    assert total + by_year >= least * Fraction(deal.months, 12)
    assert schedule.find_shortfall(0, 12) == 0
