"""What a line of a quote costs over the term of the requirement: exact, to the cent. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from app.contract.price_steps import PriceBreak
from app.contract.sourcing import Recurrence

CENT = Decimal("0.01")
_MONTHS_PER_YEAR = 12
_PAID_ONCE = ("term", "once")


@dataclass(frozen=True, slots=True)
class LineAmounts:
    """`years` add up to `amount`."""

    amount: Decimal
    years: Sequence[Decimal]


def price_units(quantity: Decimal, unit_price: Decimal, breaks: Sequence[PriceBreak]) -> Decimal:
    """Return what so many units cost in one period.

    With breaks for all units the price of the highest step that is reached holds; with incremental ones the
    price of each step holds for the units from it on. `unit_price` is that below the first step. Not rounded.
    """
    steps = sorted(breaks, key=lambda one: one.from_quantity)
    for_all = [one for one in steps if one.kind == "all_units" and one.from_quantity <= quantity]
    if for_all:
        return quantity * for_all[-1].unit_price
    incremental = [one for one in steps if one.kind == "incremental"]
    starts = [Decimal(0), *(one.from_quantity for one in incremental)]
    prices = [unit_price, *(one.unit_price for one in incremental)]
    ends = [*starts[1:], quantity]
    return sum(
        (
            max(Decimal(0), min(end, quantity) - start) * price
            for start, end, price in zip(starts, ends, prices, strict=True)
        ),
        Decimal(0),
    )


def spread_over_term(price: Decimal, recurring: Recurrence, term_months: int) -> LineAmounts:
    """Return what a price costs over the whole term and in each year of it.

    A monthly price is paid each month, a yearly one for each twelve months, a part of a year in proportion;
    a price of the term, or one paid once, in the first year. Each year is rounded to the cent, half up.
    """
    lengths = year_lengths(term_months)
    if recurring in _PAID_ONCE:
        years = [price, *(Decimal(0) for _ in lengths[1:])]
    elif recurring == "month":
        years = [price * length for length in lengths]
    else:
        years = [price * length / _MONTHS_PER_YEAR for length in lengths]
    rounded = [round_amount(year) for year in years]
    return LineAmounts(sum(rounded, Decimal(0)), rounded)


def year_lengths(term_months: int) -> list[int]:
    """The months of each year of a term; the last may be shorter."""
    whole, rest = divmod(term_months, _MONTHS_PER_YEAR)
    return [_MONTHS_PER_YEAR] * whole + ([rest] if rest else [])


def present_value(price: Decimal, recurring: Recurrence, term_months: int, percent: Decimal) -> Decimal:
    """Return what the payments of a term are worth at its start, at so many per cent a year.

    Each is made at the start of its period: a month, a year, or the term. Not rounded.
    """
    if recurring in _PAID_ONCE:
        return price
    factor = 1 + percent / 100
    if recurring == "month":
        return sum(
            (price / factor ** (Decimal(month) / _MONTHS_PER_YEAR) for month in range(term_months)),
            Decimal(0),
        )
    return sum(
        (
            price * length / _MONTHS_PER_YEAR / factor**year
            for year, length in enumerate(year_lengths(term_months))
        ),
        Decimal(0),
    )


def round_amount(amount: Decimal) -> Decimal:
    """Round to the cent, half up."""
    return amount.quantize(CENT, ROUND_HALF_UP)


def to_cents(amount: Decimal) -> int:
    return int(round_amount(amount) / CENT)


def from_cents(cents: int) -> Decimal:
    return cents * CENT
