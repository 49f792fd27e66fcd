"""Net, tax and total that are found by adding up, without a word."""

from decimal import Decimal

import pytest

from app.service.documents.judge.closing_sums import ClosingSums, find_closing_sums
from app.service.documents.judge.printed_figures import PrintedFigures
from app.service.documents.pipeline import read_pages
from tests.service.documents.typewriter import type_document, type_page

LINES = """
Xyk                  Qty      Price      Amount
Editor seats          10     150.00    1,500.00
Viewer seats          20      10.00      200.00
"""


def find(text: str) -> ClosingSums | None:
    document = type_document(text)
    return find_closing_sums(
        PrintedFigures(document.rows), read_pages(document.pages, "quote.pdf").line_items
    )


@pytest.mark.parametrize(
    ("sums", "expected"),
    [
        ("aa  1,700.00\nbb 20%  340.00\ncc  2,040.00", (1700, 340, 2040)),
        ("aa  1,700.00\nbb  100.00\ncc 20%  320.00\ndd  1,920.00", (1600, 320, 1920)),
        ("aa  1,700.00\nbb 5%  85.00\ncc 7%  119.00\ndd  1,904.00", (1700, 204, 1904)),
        ("aa  1,700.00\nbb  300.00\ncc  2,000.00\ndd 20%  400.00\nee  2,400.00", (2000, 400, 2400)),
    ],
    ids=["a tax", "a discount before the tax", "two taxes", "carriage before the tax"],
)
def test_sums_close_without_words(sums: str, expected: tuple[int, int, int]) -> None:
    found = find(LINES + sums)
    assert found is not None
    assert (found.totals.net, found.totals.tax, found.totals.total) == expected


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (["1,700.00", "-85.00", "25.00", "328.00", "1,968.00"], ("1640", "328", "1968")),
        (["1,700.00", "-85.00", "600.00", "2,215.00"], ("2215", None, "2215")),
        (["1,700.00", "34.00", "86.70", "86.70", "1,907.40"], ("1734", "173.40", "1907.40")),
        (["1,700.00", "-85.00", "1,615.00", "-1,000.00", "615.00"], ("1615", None, "1615")),
    ],
    ids=["discount, carriage and tax", "without a tax", "two taxes after carriage", "what is left to pay"],
)  # fmt: skip
def test_a_column_closes_from_the_sum_of_the_lines_to_the_total(
    column: list[str], expected: tuple[str, str | None, str]
) -> None:
    lines = read_pages(type_document(LINES).pages, "quote.pdf").line_items
    rows = type_document(LINES + "\n".join(f"{'aa':<31}{one:>16}" for one in column)).rows
    found = find_closing_sums(PrintedFigures(rows), lines)
    assert found is not None
    assert found.is_column
    read = (found.totals.net, found.totals.tax, found.totals.total)
    assert read == tuple(None if one is None else Decimal(one) for one in expected)


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        ("Levy 17.00 VAT 343.40 Stamp 1.00 Total 2,061.40", ("1718", "343.40", "2061.40")),
        ("Work 170.00 Gain 85.00 Both 255.00 VAT 391.00 Total 2,346.00", ("1955", "391", "2346")),
    ],
    ids=["charges before and behind it", "a sum of the charges"],
)
def test_a_label_tells_the_tax_of_a_column_from_charges(column: str, expected: tuple[str, str, str]) -> None:
    words = ["aa", "1,700.00", *column.split()]
    labelled = zip(words[::2], words[1::2], strict=True)
    rows = type_document(LINES + "\n".join(f"{label:<31}{figure:>16}" for label, figure in labelled)).rows
    lines = read_pages(type_document(LINES).pages, "quote.pdf").line_items
    found = find_closing_sums(PrintedFigures(rows), lines)
    assert found is not None
    assert (found.totals.net, found.totals.tax, found.totals.total) == tuple(map(Decimal, expected))


def test_amounts_of_lines_and_a_share_that_is_no_tax_are_no_sums() -> None:
    assert find("Editor seats  1,500.00\nViewer seats  200.00\nHelp  1,700.00") is None
    assert find("aa  1,000.00\nbb  700.00\ncc  1,700.00") is None


def test_only_a_figure_where_it_was_read_is_printed() -> None:
    document = type_document("Total  1,700.00\nDeposit  300.00")
    figures = PrintedFigures(document.rows)
    first, second = (row.cells()[-1] for row in document.rows)
    assert figures.shows(first.locate(1.0), first.figures[0].value)
    assert not figures.shows(second.locate(1.0), first.figures[0].value)
    assert not figures.shows(None, first.figures[0].value)


def test_lines_with_net_tax_and_gross_beside_each_other_are_no_sums() -> None:
    header = "Xyk               Qty     Price        Net    VAT       Tax      Gross\n"
    lines = (
        "Leaflets           10     15.00     150.00    20%     30.00     180.00\n"
        "Cards              12    100.00   1,200.00    20%    240.00   1,440.00\n"
    )
    assert find(header + lines) is None
    found = find(header + lines + "Sum                             1,350.00           270.00   1,620.00\n")
    assert found is not None
    assert found.totals.total == 1620


def test_the_first_line_below_a_header_of_sums_is_no_sum() -> None:
    page = "Offer\n\nItem        pcs      Net price     Net total     Gross total\n"
    page += "Gate          1       8,400.00      8,400.00      10,332.00\n"
    page += "Door          2       1,900.00      3,800.00       4,674.00\n"
    assert read_pages(type_document(page).pages, "quote.pdf").total is None


def test_a_tax_that_is_a_share_of_the_total_makes_no_net_sure() -> None:
    text = "Nota fiscal 7\nISS 3,00%   43,20\nValor líquido a receber   1.396,80\nValor total R$   1.440,00\n"
    read = read_pages([type_page(text)], "nota.pdf")
    assert not any(place.verified for name, place in read.provenance.items() if name == "net_total")
