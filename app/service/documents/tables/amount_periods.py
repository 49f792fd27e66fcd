"""A month or a year that words around the amounts name, while no price is known to be one for it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from app.service.documents.extraction import Box, LineItem, list_places
from app.service.documents.fields.totals import LabelledSum, Totals
from app.service.documents.tables.detection import Table
from app.service.documents.tables.line_kinds import tells_recurrence
from app.service.documents.values.durations import PACES
from app.service.values.folding import fold

_LONGEST_TERM = 60
"""Months."""
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
    once, counted = _list_without_period(items)
    if not all(map(_is_paid_once_over, once)):
        return list(items)
    of_all = _find_stated(_list_labels(totals, sums), term) if len(once) == len(counted) else None
    headers, without = dict(_list_headers(once, tables)), set(map(id, once))

    def charge(item: LineItem) -> LineItem:
        is_once = item.recurring is False or tells_recurrence(fold(item.description or "")) is False
        if is_once or id(item) not in without:
            return item
        place = item.provenance.get("amount")
        header = headers.get((place.page, place.box), "") if place else ""
        return replace(item, period_months=of_all or _find_stated([header], term))

    return list(map(charge, items))


def _find_stated(texts: Iterable[str], term: int | None) -> int | None:
    """The period of the first text that names one and no other: `Annual fee, billed monthly` names two."""
    for text in texts:
        named = [months for months, pattern in PACES if pattern.search(fold(text))]
        if len(named) == 1 and (term is None or named[0] < term):
            return named[0]
    return None


def _list_without_period(items: Sequence[LineItem]) -> tuple[list[LineItem], list[LineItem]]:
    """The lines that cost something and tell no period, and all that cost something."""
    counted = [one for one in items if one.amount and not one.optional]
    return [one for one in counted if not _tells_period(one)], counted


def describe_amount_period(
    items: Sequence[LineItem], totals: Totals, tables: Sequence[Table], sums: Sequence[LabelledSum], term: int
) -> str | None:
    """A sentence about words that say a shorter period than the term, in months, of amounts that are counted
    once; None where the lines tell their periods, or nothing names one."""
    once, counted = _list_without_period(items)
    if not once or not all(map(_is_paid_once_over, once)):
        return None
    texts = [one.description or "" for one in once]
    if len(once) == len(counted):
        texts += [*_list_labels(totals, sums), *_list_words_of_tables(once, tables)]
    for text in texts:
        for months, pattern in PACES:
            if months < term and pattern.search(fold(text)):
                period = "one month" if months == 1 else "one year"
                return (
                    f"“{text.strip()}” may mean that the amount is for {period}; it is counted once for the"
                    f" whole term of {term} months."
                )
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


def _list_labels(totals: Totals, sums: Sequence[LabelledSum]) -> Iterator[str]:
    """The labels of the sums that were taken."""
    taken = {totals.net, totals.total}
    yield from (one.label for one in sums if one.kind in ("net", "gross", "contract") and one.value in taken)


def _list_headers(
    items: Sequence[LineItem], tables: Sequence[Table]
) -> Iterator[tuple[tuple[int | None, Box | None], str]]:
    """Where each amount stands in a table, and the header above it."""
    places = list_places(items, "amount")
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
