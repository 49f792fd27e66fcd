"""Prices that became neither a line nor a sum."""

import pytest

from app.service.documents.extraction import Kind, LineItem
from app.service.documents.fields.totals import Totals
from app.service.documents.judge.printed_figures import PrintedFigures
from app.service.documents.judge.unread_prices import describe_unread_prices
from tests.service.documents.typewriter import type_document

_PAGE = "Base kit       900\nCable of 3 m   450\nSpare cable    300\nPage 7"


def _describe(page: str, lines: int, kind: Kind = "quote", total: int | None = None) -> str:
    rows = type_document(page).rows
    items = [
        LineItem(amount=cell.figures[0].value, provenance={"amount": cell.locate(1)})
        for row in rows[:lines]
        for cell in row.cells()[1:]
    ]
    totals = Totals() if total is None else Totals(None, None, total)  # type: ignore[arg-type]
    return " ".join(describe_unread_prices(PrintedFigures(rows), kind, items, totals))


@pytest.mark.parametrize(("lines", "count"), [(3, ""), (2, "1 row shows a price"), (1, "2 rows show prices")])
def test_rows_with_a_price_in_the_column_of_the_lines_are_counted(lines: int, count: str) -> None:
    assert _describe(_PAGE, lines).startswith(count)
    assert bool(_describe(_PAGE, lines)) == bool(count)


def test_nothing_is_missing_where_the_lines_make_the_total() -> None:
    assert not _describe("Base      900\nPaid      450", 1, total=900)


def test_a_document_without_lines_is_said_to_have_none_unless_it_is_a_contract() -> None:
    assert _describe("Setup costs 9 thousand", 0)
    assert not _describe("Setup costs 9 thousand", 0, kind="contract")
