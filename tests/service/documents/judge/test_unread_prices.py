"""Prices that became neither a line nor a sum."""

from decimal import Decimal

import pytest

from app.service.documents.extraction import Kind, LineItem
from app.service.documents.fields.totals import Totals
from app.service.documents.judge.printed_figures import PrintedFigures
from app.service.documents.judge.unread_prices import describe_unread_prices
from app.service.documents.reading import read_document
from tests.service.documents.typewriter import type_document

_PAGE = "Base kit       900\nCable of 3 m   450\nSpare cable    300\nPage 7"


def test_where_lines_are_of_sentences_the_prices_of_others_are_counted() -> None:
    fee = "For the maintenance of both lifts the client pays an annual fee of EUR 900.00 in advance"
    other = "Calls outside of working hours are charged with EUR 65.00 for each hour begun and no more"
    rows = type_document(f"{fee}\n{other}").rows
    [cell] = rows[0].cells()
    place = cell.with_words(cell.words[-4:-3]).locate(1)
    items = [LineItem(amount=Decimal(900), provenance={"amount": place})]
    totals = Totals(None, None, Decimal(900))
    [said] = describe_unread_prices(PrintedFigures(rows), "contract", items, totals)
    assert said.startswith("1 row shows a price that became neither a line nor a sum, the first of them 65")


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


@pytest.mark.parametrize(
    ("below", "is_said"),
    [
        ("Subscription: EUR 145 monthly", True),
        ("Subscription: 145 monthly", False),
        ("EUR 145", True),
        ("Between EUR 100 and EUR 200 a month", False),
        ("Calls: EUR 150. Alarms: EUR 120.", True),
        ("The service is described in our terms, and costs about EUR 145 for each month of use", False),
    ],
)
def test_a_price_in_a_short_row_is_counted_where_no_sum_was_read(below: str, is_said: bool) -> None:
    assert ("1 row shows a price" in _describe(f"Set-up once     900\n\n{below}", 1)) == is_said
    assert not _describe(f"Set-up once     900\n\n{below}", 1, kind="invoice", total=900)


def test_nothing_is_missing_where_the_lines_make_the_total() -> None:
    assert not _describe("Base      900\nPaid      450", 1, total=900)


@pytest.mark.parametrize(
    ("below", "kind", "is_said"),
    [
        ("Training      € 450.00", "quote", True),
        ("Insured up to € 5,000.00", "quote", False),
        ("Optional extra  € 5,000.00", "quote", True),
        ("By card 3 May € 450.00", "invoice", False),
        ("Kit: € 900.00", "quote", False),
        ("Spare kit: € 450.00", "quote", True),
        ("Height of 1.75m", "quote", False),
    ],
)
def test_an_offer_below_the_total_is_said(below: str, kind: Kind, is_said: bool) -> None:
    rows = type_document(f"Base      900\nTotal     900\n{below}").rows
    line, total = (row.cells()[1].locate(1) for row in rows[:2])
    items = [LineItem(amount=Decimal(900), provenance={"amount": line})]
    totals = Totals(None, None, Decimal(900), provenance={"total": total})
    assert bool(list(describe_unread_prices(PrintedFigures(rows), kind, items, totals))) == is_said


@pytest.mark.parametrize(
    ("sums", "is_said"),
    [
        ("Total monthly charges   1,329.00\nTotal one-time charges   1,100.00", True),
        ("Total of the first   500.00\nTotal   1,100.00", False),
        ("Subtotal   1,200.00\nDiscount   100.00\nTotal   1,100.00", False),
    ],
)
def test_a_total_that_no_lines_make_is_said(sums: str, is_said: bool) -> None:
    rows = type_document(f"Line    500.00\nSeat    600.00\n{sums}").rows
    first, second, *_, total = (row.cells()[1] for row in rows)
    items = [
        LineItem(amount=one.figures[0].value, provenance={"amount": one.locate(1)}) for one in (first, second)
    ]
    totals = Totals(Decimal(1100), None, Decimal(1100), provenance={"total": total.locate(1)})
    assert bool(list(describe_unread_prices(PrintedFigures(rows), "quote", items, totals))) == is_said


def test_a_document_without_lines_is_said_to_have_none_unless_it_is_a_contract() -> None:
    assert _describe("Setup costs 9 thousand", 0)
    assert not _describe("Setup costs 9 thousand", 0, kind="contract")


@pytest.mark.parametrize(
    ("below", "is_said"),
    [
        ("Repairs cost from EUR 100 to EUR 200 for each call", True),
        ("Repairs cost 100.50 or 200.50 for each call", True),
        ("Set-up once     900", False),
        ("Of this 19 % is due within 14 days", False),
    ],
)
def test_lines_without_a_total_are_doubtful_beside_other_money(below: str, is_said: bool) -> None:
    said = _describe(f"Set-up once     900\n\n{below}", 1)
    assert (said == "The lines add up to 900, but no total was read.") == is_said
    assert bool(said) == is_said


@pytest.mark.parametrize(
    ("text", "is_said"), [("Guards (optional)", True), ("Option: guards", True), ("Guards", False)]
)
def test_an_option_between_the_lines_and_their_total_is_counted(text: str, is_said: bool) -> None:
    page = f"Roof       900.00\n{text}       150.00\nTotal       900.00"
    assert bool(_describe(page, 1, total=900)) == is_said


@pytest.mark.parametrize("once", ["A one-time", "Eine einmalige", "En engångs", "Bir defaya mahsus"])
def test_what_a_sentence_says_is_paid_once_beside_the_lines_is_told(once: str) -> None:
    text = (
        "Quotation\nItem      Qty   Price   Amount\n"
        "Lift A      2   10.00    20.00\nLift B      3   10.00    30.00\n"
        "Total                    50.00\n\n"
        f"{once} charge of 75.00 EUR will be due for all the papers that the town hall asks for.\n"
    )
    [warning] = [one for one in read_document(text.encode(), "quote.txt").warnings if "75" in one]
    assert "something beside the lines may be offered" in warning


@pytest.mark.parametrize(
    "option",
    ["Aeration of the lawn is available in September at $540.00 if you want to add that one",
     "The second coat of paint on the walls of the hall is optional and costs you $540.00"],
)  # fmt: skip
def test_what_a_sentence_offers_besides_is_said(option: str) -> None:
    lines = "Item        Amount\nMowing      $400.00\nSeeding     $300.00\nTotal       $700.00\n\n"
    said = " ".join(read_document(f"Quote\n\n{lines}{option}.".encode(), "quote.txt").warnings)
    assert "the first of them 540: something beside the lines may be offered" in said
