"""A month or a year that words around the amounts name, while no price is known to be one for it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import chain

from app.service.documents.extraction import Box, LineItem, list_places
from app.service.documents.fields.totals import LabelledSum, Totals
from app.service.documents.tables.detection import Table
from app.service.documents.tables.line_kinds import is_paid_again
from app.service.documents.values.billing_frequency import names_bills
from app.service.documents.values.durations import PACES, WEEKLY
from app.service.values.folding import fold

_LONGEST_TERM = 60
"""Months."""
_NAMES = {1: "one month", 3: "one quarter", 6: "half a year", 12: "one year"}
_LONGEST_CELL = 20
"""Letters of a cell that is about nothing but a period: `Annual in advance`."""


def charge_stated_periods(
    items: Sequence[LineItem],
    totals: Totals,
    tables: Sequence[Table],
    sums: Sequence[LabelledSum],
    term: int | None,
) -> list[LineItem]:
    """The lines, those that tell no period being for the one that the label of their sum or the header of
    their amount states, where it is shorter than the term, in months; but for what is paid once."""
    once, are_all = _list_without_period(items)
    if not all(map(_is_paid_once_over, once)):
        return list(items)
    of_all = _find_stated(_list_labels(items, totals, sums), term) if are_all else None
    headers, without = dict(_list_headers(once, tables)), set(map(id, once))
    stated = {header: of_all or _find_stated([header], term) for header in {"", *headers.values()}}

    def charge(item: LineItem) -> LineItem:
        place = item.provenance.get("amount") or item.provenance.get("unit_price")
        months = stated[headers.get((place.page, place.box), "") if place else ""]
        if months is None or id(item) not in without or is_paid_again(item) is False:
            return item
        return replace(item, period_months=months)

    return list(map(charge, items))


def _find_stated(texts: Iterable[str], term: int | None) -> int | None:
    """The period of the first text that names one and no other, as `Annual fee, billed monthly` does, and
    says nothing of bills: `Total (billed monthly)` may be either."""
    for text in map(fold, texts):
        named = [months for months, pattern in PACES if pattern.search(text)]
        if len(named) == 1 and not names_bills(text) and (term is None or named[0] < term):
            return named[0]
    return None


def _list_without_period(items: Sequence[LineItem]) -> tuple[list[LineItem], bool]:
    """The lines that cost something and tell no period, and whether these are all that cost something."""
    counted = [one for one in items if one.amount and not one.optional]
    once = [one for one in counted if not _tells_period(one)]
    return once, len(once) == len(counted)


def describe_amount_period(
    items: Sequence[LineItem],
    totals: Totals,
    tables: Sequence[Table],
    sums: Sequence[LabelledSum],
    term: int | None,
) -> str | None:
    """A sentence about words that say a shorter period than the term, in months, of amounts that are counted
    once; None where the lines tell their periods, or nothing names one."""
    once, are_all = _list_without_period(items)
    if not once or not all(map(_is_paid_once_over, once)):
        return None
    labels = [*_list_labels(items, totals, sums)] if are_all else []
    texts = [one.description or "" for one in once]
    texts += [*labels, *_list_words_of_tables(once, tables)] if are_all else []
    names = [(months, pattern, _NAMES[months]) for months, pattern in PACES]
    found = (
        (text, name) for text in texts for months, pattern, name in names
        if term and months < term and pattern.search(fold(text))
    )  # fmt: skip
    of_weeks = ((text, "one week") for text in labels if WEEKLY.search(fold(text)))
    for text, name in chain(found, of_weeks):
        span = f" for the whole term of {term} months" if term else ""
        return f"“{text.strip()}” may mean that the amount is for {name}; it is counted once{span}."
    return None


def is_total_of_period(totals: Totals, sums: Sequence[LabelledSum]) -> bool:
    """Whether a larger printed total is the one that was read times the months or years of a term."""
    larger = (one.value for one in sums if one.kind in ("gross", "contract"))
    return bool(totals.total) and any(
        one > totals.total and one % totals.total == 0 and one / totals.total <= _LONGEST_TERM
        for one in larger
    )


def _tells_period(item: LineItem) -> bool:
    """Whether a line is for a known part of the term, or its unit says how often its price is paid."""
    per = any(pattern.search(fold(item.unit or "")) for _, pattern in PACES)
    return per or item.period_months is not None or item.first_month is not None


def _is_paid_once_over(item: LineItem) -> bool:
    """Whether the amount takes in no more than quantity and price."""
    if item.quantity is None or item.unit_price is None or item.amount is None:
        return True
    whole = item.quantity * item.unit_price / (item.price_basis_quantity or 1)
    return item.amount <= whole + abs(whole) * Decimal("0.01")


def _list_labels(items: Sequence[LineItem], totals: Totals, sums: Sequence[LabelledSum]) -> Iterator[str]:
    """The labels of the sums that were taken, and of the sum of what is paid again."""
    again = sum((one.amount for one in items if one.amount and is_paid_again(one)), Decimal(0))
    taken = {totals.net, totals.total, again}
    yield from (one.label for one in sums if one.kind in ("net", "gross", "contract") and one.value in taken)


def _list_headers(
    items: Sequence[LineItem], tables: Sequence[Table]
) -> Iterator[tuple[tuple[int | None, Box | None], str]]:
    """Where each amount, or the price alone, stands in a table, and the header above it."""
    places = list_places(items, "amount", "unit_price")
    for table in tables:
        for row in table.rows:
            for at, cell in row.cells.items():
                if (cell.page, cell.box) in places:
                    yield (cell.page, cell.box), table.columns[at].header


def _list_words_of_tables(items: Sequence[LineItem], tables: Sequence[Table]) -> Iterator[str]:
    """The titles of tables with these lines, the headers of their amounts and short cells beside them."""
    places = list_places(items, "amount")
    for table in tables:
        rows = [row for row in table.rows if any((one.page, one.box) in places for one in row.cells.values())]
        if not rows:
            continue
        yield table.title
        yield from (one.header for one in table.columns if one.best_meaning == "amount")
        yield from (
            cell.text for row in rows for cell in row.cells.values()
            if not cell.figures and len(cell.text) <= _LONGEST_CELL
        )  # fmt: skip
