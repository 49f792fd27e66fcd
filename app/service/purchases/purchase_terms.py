"""Read what a row says of the purchase's terms: its length, what the price covers, new or renewal."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from app.contract.imports import PricePer
from app.contract.scope import PurchaseType
from app.service.purchase_records import PricePeriod
from app.service.table_files.cells import read_number, read_text
from app.service.tables.table import InvalidRow
from app.service.values import periods
from app.service.values.numbers import DecimalMark


class PaidPeriod(NamedTuple):
    """What a price is for, as it is on record, and by how much it is multiplied for that: a price per quarter
    is a fourth of that per year."""

    period: PricePeriod
    times: int = 1


_PERIODS: Mapping[periods.Period | PricePer, PaidPeriod] = {
    "month": PaidPeriod("month"),
    "quarter": PaidPeriod("year", 4),
    "half year": PaidPeriod("year", 2),
    "half_year": PaidPeriod("year", 2),
    "year": PaidPeriod("year"),
    "term": PaidPeriod("term"),
    "once": PaidPeriod("once"),
}
_WORDS_OF_TYPES: Mapping[PurchaseType, Sequence[str]] = {
    "new_purchase": ("new_purchase", "new purchase", "new"),
    "renewal": ("renewal", "renew", "renewed"),
}
_TYPES: Mapping[str, PurchaseType] = {word: kind for kind, words in _WORDS_OF_TYPES.items() for word in words}


def read_months(name: str, cell: object, mark: DecimalMark | None, unit: int = 1) -> int | None:
    """Read a whole number of months, or of what has `unit` months, or a span such as `36 months` or `3
    years`; 0 means none."""
    span = periods.read_span(cell) if isinstance(cell, str) else None
    if span is not None and span.months:
        return _check_months(name, span.months)
    term = read_number(name, cell, mark)
    if term is None or term == 0:
        return None
    term *= unit
    if term != term.to_integral_value():
        raise InvalidRow(name, f"{term} is not a whole number of months from 1 to 1200")
    return _check_months(name, int(term))


def _check_months(name: str, months: int) -> int:
    if not 0 < months <= 1200:
        raise InvalidRow(name, f"{months} is not a whole number of months from 1 to 1200")
    return months


def read_period(name: str, cell: object) -> PaidPeriod | None:
    """Read the period that the unit price covers."""
    text = read_text(name, cell)
    if text is None:
        return None
    period = periods.read_period(text)
    if period is None or period not in _PERIODS:
        raise InvalidRow(name, f"{text[:40]!r} is none of month, quarter, half year, year, term, once")
    return _PERIODS[period]


def find_paid_period(period: periods.Period | PricePer) -> PaidPeriod | None:
    """Return what a price for this period is for; None for one that no price on record has."""
    return _PERIODS.get(period)


def read_type(name: str, cell: object) -> PurchaseType | None:
    """Read whether the purchase is new or a renewal; None for any other word."""
    text = read_text(name, cell)
    return None if text is None else _TYPES.get(text.lower())
