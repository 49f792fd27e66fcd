"""What the lines of an agreement say: the product that each is for, what it costs for the term, and what of
its price is paid where the total is lower. Pure."""

from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from app.contract.agreements import AgreementLine, LinePricePer, NewAgreement
from app.service.agreements.dates.working_days import ONE_DAY
from app.service.charges.charge import NO_CURRENCY, Charge, OutsideTerm, count_periods, to_decimal
from app.service.charges.months import count_months
from app.service.charges.schedule import Schedule
from app.service.purchases.purchase_terms import find_paid_period
from app.service.scopes.terms import StoredProductTerm
from app.service.values.rounding import CENT, is_close, round_to_cents


def match_terms(
    lines: Sequence[AgreementLine], terms: Sequence[StoredProductTerm]
) -> list[StoredProductTerm | None]:
    """Return the product term of each line; lines and terms of a product follow each other in the same
    order. None for a line that was added, and for each where one was removed: nobody knows which."""
    lines_of = Counter(line.product_id for line in lines)
    left: dict[str, list[StoredProductTerm]] = {}
    for term in terms:
        left.setdefault(term.product_id, []).append(term)
    left = {product_id: some for product_id, some in left.items() if len(some) <= lines_of[product_id]}
    return [some.pop(0) if (some := left.get(line.product_id or "")) else None for line in lines]


def price_line(
    unit_price: Decimal, quantity: Decimal, per: LinePricePer, months: int | None
) -> Decimal | None:
    """Return what so many units cost, each for so much; None where that is paid again and the length of the
    term is not known."""
    paid = find_paid_period(per)
    periods = count_periods(paid.period, months) if paid else None
    return (
        None
        if paid is None or periods is None
        else round_to_cents(unit_price * quantity * to_decimal(periods * paid.times))
    )


def count_term_months(agreed: NewAgreement) -> int | None:
    """Return the length of the first term in months, rounded; None where it is not known."""
    if agreed.term_start is None or agreed.term_end is None:
        return None
    return count_months(agreed.term_start, agreed.term_end + ONE_DAY)


def list_line_amounts(agreed: NewAgreement) -> list[Decimal | None]:
    """Return what each line costs for the term, before a discount on the whole; None where that is not known.
    A price of a unit alone may be that of a month: it counts where the line says what it is for, or all
    lines, multiplied, make the total."""
    lines, total = agreed.lines or (), agreed.total_value
    months = count_term_months(agreed)
    amounts = [_find_stated_amount(line, months) for line in lines]
    if total is None or None not in amounts:
        return amounts
    products = [
        line.quantity * line.unit_price
        for line in lines
        if line.quantity is not None and line.unit_price is not None
    ]
    if len(products) < len(lines) or not is_close(sum(products, Decimal(0)), total):
        return amounts
    return [one if stated is None else stated for stated, one in zip(amounts, products, strict=True)]


def _find_stated_amount(line: AgreementLine, months: int | None) -> Decimal | None:
    """Return what a line says that it costs for a term of so many months."""
    per = line.price_per or ("once" if line.recurring is False else None)
    if line.amount is not None or line.unit_price is None or line.quantity is None or per is None:
        return line.amount
    return price_line(line.unit_price, line.quantity, per, line.months or months)


MAX_DISCOUNT = Decimal("0.5")
"""A larger share of the lines' prices that the total lacks is a doubt rather than a discount."""
NOT_KNOWN = "The lines cost more than the total (totalValue), and what was paid for each is not known."
"""Why a line has no price where `find_discounted_share` returns none."""


def find_discounted_share(agreed: NewAgreement) -> Decimal | None:
    """Return the share of the lines' prices that is paid: 1, less where the total is lower than its lines.
    None where that is too much for a discount, or lines without a price may have a share in it. A total that
    is higher holds something that no line does."""
    lines = agreed.lines or ()
    stated = [amount for amount in list_line_amounts(agreed) if amount is not None]
    whole, total = sum(stated, Decimal(0)), agreed.total_value
    if total is None or whole - total <= CENT * len(lines):
        return Decimal(1)
    share = total / whole
    return share if share > 1 - MAX_DISCOUNT and len(stated) == len(lines) else None


def find_paid_once(agreed: NewAgreement) -> Decimal | None:
    """Return what of the total is paid once: as stated, else what the lines say that are paid once; None
    where neither says it."""
    lines, total = agreed.lines or (), agreed.total_value
    of_lines = [line.recurring is False for line in lines]
    if agreed.one_time_value is not None or total is None or not any(of_lines):
        return agreed.one_time_value
    if all(of_lines):
        return total
    share = find_discounted_share(agreed)
    amounts = zip(of_lines, list_line_amounts(agreed), strict=True)
    once = sum((amount for is_once, amount in amounts if is_once and amount is not None), Decimal(0))
    return None if share is None else min(round_to_cents(once * share), total)


class PartOfTerm(NamedTuple):
    """From the month after `first_month` on, `months` of the first term cost this `share` of all that is paid
    again in it."""

    first_month: int
    months: int
    share: Decimal


def list_parts(lines: Sequence[AgreementLine], term_months: int) -> tuple[PartOfTerm, ...]:
    """Return the parts in which the price of a month stays the same, in their order; none where no line is
    for a part of the term, or not every line has a price and fits into it."""
    again = [line for line in lines if line.recurring is not False]
    if all(line.months is None for line in again):
        return ()
    charges = [
        Charge(
            line.description,
            NO_CURRENCY,
            kind="recurring",
            per="term",
            price=None if amount is None else Fraction(amount),
            start_month=line.first_month or 0,
            months=line.months or term_months,
        )
        for line, amount in ((line, _find_stated_amount(line, term_months)) for line in again)
    ]
    try:
        schedule = Schedule(charges, NO_CURRENCY, term_months)
    except OutsideTerm:
        return ()
    whole = schedule.total()
    if whole.covers.missing or not whole.value:
        return ()
    begins = [one.start_month or 0 for one in charges]
    ends = [begin + (one.months or 0) for begin, one in zip(begins, charges, strict=True)]
    bounds = sorted({0, term_months, *map(int, begins), *map(int, ends)})
    spans = [(begin, end - begin) for begin, end in pairwise(bounds)]
    return tuple(
        PartOfTerm(*span, to_decimal(Fraction(schedule.total(span=span).value) / whole.value))
        for span in spans
    )
