"""What a line of a quote costs over the term of the requirement: exact, to the cent. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from app.contract.sourcing import Requirement, SourcingQuoteLine
from app.service.charges.charge import Charge, Step, to_decimal
from app.service.charges.months import MONTHS_PER_YEAR
from app.service.charges.schedule import list_years
from app.service.values.rounding import CENT, round_to_cents

_PAID_ONCE = ("term", "once")


@dataclass(frozen=True, slots=True)
class LineAmounts:
    """`years` add up to `amount`."""

    amount: Decimal
    years: Sequence[Decimal]


def build_charge(
    line: SourcingQuoteLine, quantity: Decimal, requirement: Requirement, rate: Decimal
) -> Charge:
    """Return what a line of a quote charges for so many units over the term of a requirement. `rate` is the
    exchange rate into its currency.

    With breaks for all units the price of the highest step that is reached holds; with incremental ones the
    price of each step holds for the units from it on.
    """
    breaks = line.breaks or ()
    for_all = [one for one in breaks if one.kind == "all_units" and one.from_quantity <= quantity]
    steps = for_all or [one for one in breaks if one.kind == "incremental"]
    once = line.recurring in _PAID_ONCE
    return Charge(
        what=line.description,
        currency=requirement.currency,
        kind="one_time" if once else "recurring",
        per="month" if line.recurring == "month" else "once" if once else "year",
        quantity=Fraction(quantity),
        rate=Fraction(line.unit_price) * Fraction(rate),
        steps=[Step(Fraction(one.from_quantity), Fraction(one.unit_price) * Fraction(rate)) for one in steps],
        incremental=not for_all,
        start_month=0,
        months=None if once else requirement.term_months,
    )


def spread_over_term(charge: Charge, term_months: int) -> LineAmounts:
    """Return what a line costs over the whole term and in each year of it, each rounded to the cent, half up:
    a part of a year in proportion, and a price of the term, or one paid once, in the first year."""
    amount = charge.amount or 0
    shares = [charge.share_within(*year) or 0 for year in list_years(term_months)]
    rounded = [round_to_cents(to_decimal(amount * share)) for share in shares]
    return LineAmounts(sum(rounded, Decimal(0)), rounded)


def present_value(charge: Charge, term_months: int, percent: Decimal) -> Decimal:
    """Return what the payments of a term are worth at its start, at so many per cent a year.

    Each is made at the start of its period: a month, a year, or the term. Not rounded.
    """
    price = to_decimal(charge.price_of_period or 0)
    factor = 1 + percent / 100
    if charge.kind == "one_time":
        return price
    if charge.per == "month":
        return sum(
            (price / factor ** (Decimal(month) / MONTHS_PER_YEAR) for month in range(term_months)), Decimal(0)
        )
    return sum(
        (
            price * months / MONTHS_PER_YEAR / factor**year
            for year, (_, months) in enumerate(list_years(term_months))
        ),
        Decimal(0),
    )


def to_cents(amount: Decimal) -> int:
    return int(round_to_cents(amount) / CENT)


def from_cents(cents: int) -> Decimal:
    return cents * CENT
