"""The terms of a scope, as the interface has them, read into a schedule and written from one."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from itertools import zip_longest

from app.contract.scope import DimensionValue, NewProductTerm, NewScopeTerm
from app.service.charges.amount import Kind, Number, round_money, to_decimal
from app.service.charges.charge import Charge
from app.service.charges.faults import NotStated
from app.service.charges.months import add_months, count_exact_months
from app.service.charges.schedule import Adjustment, Schedule

OTHER_CHARGES, DISCOUNT_ON_WHOLE, BUNDLE = "Other charges", "Discount on the whole", "Bundle"
_ONE_DAY = timedelta(days=1)


def read_terms(
    scope_terms: Sequence[NewScopeTerm],
    product_terms: Sequence[NewProductTerm],
    *,
    currency: str,
    counted: Mapping[str, str],
    kinds: Sequence[Kind | None] = (),
) -> Schedule:
    """Return the schedule of a scope: a charge for each product term, by the product's id, in their order.

    `counted` has the dimension that counts a product's units, by the product's id; `kinds` is parallel to the
    products, where somebody knows it. A product without dates of its own runs for the whole term. What the
    scope's total has beyond the products' prices is a charge of its own (`OTHER_CHARGES`), or the price of
    those that state none (`BUNDLE`), who are included in it; what it lacks is a discount on the whole. Raises
    InvalidCharge.
    """
    term = sum(one.term_length for one in scope_terms)
    charges = [
        replace(
            _read_product(one, scope_terms[0], term, currency, counted.get(one.product_id)),
            kind=kind,
            line=at,
        )
        for at, (one, kind) in enumerate(zip_longest(product_terms, kinds))
    ]
    schedule = Schedule(charges, currency, term, tax="before")
    finals = [one.final_price for one in scope_terms if one.final_price is not None]
    if len(finals) != len(scope_terms):
        return schedule
    return _add_rest(schedule, sum(map(Fraction, finals), Fraction(0)))


def write_terms(
    schedule: Schedule,
    scope_term: NewScopeTerm,
    product_terms: Sequence[NewProductTerm],
    *,
    counted: Mapping[str, str],
) -> tuple[NewScopeTerm, list[NewProductTerm]]:
    """Return the terms of a scope with the prices, quantities, spans and term of a schedule that was read
    from `product_terms`; all else is kept. Raises NotStated where a product has a span of its own and the
    scope states no day on which that could begin."""
    assert schedule.term_months is not None  # one that was read from a scope has it
    total = schedule.total()
    written = scope_term.model_copy(
        update={
            "term_length": schedule.term_months,
            "final_price": None if total.covers.missing else total.rounded(),
        }
    )
    return written, [
        _write_product(
            charge, term, schedule.term_months, scope_term.start_date, counted.get(term.product_id)
        )
        for charge in schedule.charges
        if charge.line is not None
        for term in [product_terms[charge.line]]
    ]


def _read_product(
    term: NewProductTerm, scope: NewScopeTerm, months: int, currency: str, counted: str | None
) -> Charge:
    start, own_months = _read_span(term, scope, months)
    listed = None if term.list_price is None else Fraction(term.list_price)
    paid = None if term.discount is None else 1 - Fraction(term.discount) / 100
    price = None if term.final_price is None else Fraction(term.final_price)
    if price is None and listed is not None and paid is not None:
        price = listed * paid
    if listed is None and price is not None and paid:
        listed = price / paid
    return Charge(
        what=term.product_id,
        currency=currency,
        per="term",
        quantity=_read_quantity(term, counted),
        price=price,
        list_price=listed,
        start_month=start,
        months=own_months,
    )


def _read_span(term: NewProductTerm, scope: NewScopeTerm, months: int) -> tuple[Number | None, Number | None]:
    """When a product begins within the term, and for how many months it is bought."""
    if term.start_date is None and term.end_date is None:
        return 0, months
    begins = term.start_date or scope.start_date
    if scope.start_date is None:
        if begins is None or term.end_date is None:
            return None, None
        return None, count_exact_months(begins, term.end_date + _ONE_DAY)
    start = Fraction(0) if begins is None else count_exact_months(scope.start_date, begins)
    end = months if term.end_date is None else count_exact_months(scope.start_date, term.end_date + _ONE_DAY)
    return start, end - start


def _read_quantity(term: NewProductTerm, counted: str | None) -> Fraction | None:
    value = next((one.value for one in term.pricing_dimensions if one.id == counted), None)
    if value is None:
        return None
    try:
        return Fraction(Decimal(str(value)))
    except InvalidOperation:
        return None


def _add_rest(schedule: Schedule, total: Fraction) -> Schedule:
    """The schedule with what the total of the scope says beyond the prices of its products."""
    prices = [one.price for one in schedule.charges]
    rest = total - sum((price for price in prices if price is not None), Fraction(0))
    unpriced = any(price is None for price in prices)
    if not rest and not unpriced:
        return schedule
    if rest < 0:
        if unpriced:
            return schedule  # a discount of an unknown size: the products without a price stay without one
        discount = Adjustment(DISCOUNT_ON_WHOLE, amount=rest)
        return Schedule(schedule.charges, schedule.currency, schedule.term_months, "before", [discount])
    other = Charge(
        what=BUNDLE if unpriced else OTHER_CHARGES,
        currency=schedule.currency,
        per="term",
        price=rest,
        start_month=0,
        months=schedule.term_months,
    )
    charges = [one if one.price is not None else _include(one) for one in schedule.charges]
    return Schedule([*charges, other], schedule.currency, schedule.term_months, "before")


def _include(charge: Charge) -> Charge:
    return replace(charge, list_price=None, status="included")


def _write_product(
    charge: Charge, term: NewProductTerm, months: int, begins: date | None, counted: str | None
) -> NewProductTerm:
    amount = None if charge.status == "included" else charge.amount
    growth = None if amount is None or not charge.price else Fraction(amount) / charge.price
    listed = None if charge.list_price is None or growth is None else charge.list_price * growth
    start, end = _write_span(charge, term, months, begins)
    return term.model_copy(
        update={
            "final_price": None if amount is None else round_money(amount, charge.currency),
            "list_price": term.list_price if listed is None else round_money(listed, charge.currency),
            "start_date": start,
            "end_date": end,
            "pricing_dimensions": [
                DimensionValue(id=one.id, value=to_decimal(charge.quantity))
                if one.id == counted and charge.quantity is not None
                else one
                for one in term.pricing_dimensions
            ],
        }
    )


def _write_span(
    charge: Charge, term: NewProductTerm, term_months: int | None, begins: date | None
) -> tuple[date | None, date | None]:
    start, months = charge.start_month, charge.months
    if (start, months) == (0, term_months) and term.start_date is None and term.end_date is None:
        return None, None
    if start is None or months is None:
        return term.start_date, term.end_date
    if begins is None:
        raise NotStated(f"{charge.what}: it runs for a part of the term, whose first day is not stated.")
    return _find_day(begins, start), _find_day(begins, start + months) - _ONE_DAY


def _find_day(begins: date, months: Number) -> date:
    """The day so many months later, a part of a month in days of that month."""
    whole = int(months)
    day = add_months(begins, whole)
    return day + timedelta(days=round((add_months(begins, whole + 1) - day).days * (months - whole)))
