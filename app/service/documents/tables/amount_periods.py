"""A month or a year that words around the amounts name, while no line is known to be priced for one."""

from collections.abc import Iterator, Sequence
from decimal import Decimal

from app.service.documents.extraction import LineItem, list_places
from app.service.documents.fields.totals import LabelledSum, Totals
from app.service.documents.tables.detection import Table
from app.service.documents.values.durations import PACES
from app.service.values.folding import fold

_LONGEST_TERM = 60
"""Months."""
_LONGEST_CELL = 20
"""Letters of a cell that is about nothing but a period: `Annual in advance`."""


def describe_amount_period(
    items: Sequence[LineItem], totals: Totals, tables: Sequence[Table], sums: Sequence[LabelledSum], term: int
) -> str | None:
    """A sentence about words that say a shorter period than the term, in months, of amounts that are counted
    once; None where the lines tell their periods, or nothing names one."""
    counted = [one for one in items if one.amount and not one.optional]
    once = [one for one in counted if not _tells_period(one)]
    if not once or not all(_is_paid_once_over(one) for one in once):
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
