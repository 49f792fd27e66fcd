"""Read what a row says of the purchase's terms: its length, what the price covers, new or renewal."""

from app.contract.scope import PurchaseType
from app.service.documents.values.numbers import DecimalMark
from app.service.purchase_records.records import PricePeriod
from app.service.table_files.cells import read_number, read_text
from app.service.tables.table import InvalidRow

_PERIODS: dict[str, PricePeriod] = {
    **dict.fromkeys(("month", "monthly", "per month", "mo", "1 month"), "month"),
    **dict.fromkeys(("year", "yearly", "annual", "annually", "per year", "yr"), "year"),
    **dict.fromkeys(("term", "per term", "contract"), "term"),
    **dict.fromkeys(("once", "one-time", "one time", "one_time", "onetime"), "once"),
}
_TYPES: dict[str, PurchaseType] = {
    **dict.fromkeys(("new_purchase", "new purchase", "new"), "new_purchase"),
    **dict.fromkeys(("renewal", "renew", "renewed"), "renewal"),
}


def read_months(name: str, cell: object, mark: DecimalMark) -> int | None:
    """Read a whole number of months; 0 means none."""
    term = read_number(name, cell, mark)
    if term is None or term == 0:
        return None
    if term < 0 or term > 1200 or term != term.to_integral_value():
        raise InvalidRow(name, f"{term} is not a whole number of months from 1 to 1200")
    return int(term)


def read_period(name: str, cell: object) -> PricePeriod | None:
    """Read the period that the unit price covers."""
    text = read_text(name, cell)
    if text is None:
        return None
    period = _PERIODS.get(text.lower())
    if period is None:
        raise InvalidRow(name, f"{text[:40]!r} is none of month, year, term, once")
    return period


def read_type(name: str, cell: object) -> PurchaseType | None:
    """Read whether the purchase is new or a renewal; None for any other word."""
    text = read_text(name, cell)
    return None if text is None else _TYPES.get(text.lower())
