"""A discount on all lines is taken off the sums, and said where its share is not its money."""

from decimal import Decimal

import pytest

from app.service.documents.extraction import Extraction
from app.service.documents.reading import read_document
from tests.service.documents import pdf_builder

LINES = [["Server licence", 2, 100, 200], ["Support", 1, 50, 50]]
Row = list[str | int | float]


def read(*sums: tuple[str, str | float]) -> Extraction:
    rows: list[Row] = [
        ["Acme Software GmbH, Musterstr. 1, 10115 Berlin"],
        ["Quote Q-1"],
        ["Date: 2026-03-14"],
        ["Currency: EUR"],
        [],
        ["Description", "Quantity", "Unit price", "Amount"],
        *(list(line) for line in LINES),
        *([label, "", "", value] for label, value in sums),
    ]
    return read_document(pdf_builder.xlsx(rows), "quote.xlsx")


@pytest.mark.parametrize(
    "sums",
    [
        [("Subtotal", 250), ("Discount 10 %", -25), ("Total", 225)],
        [("Discount 10 %", -25), ("Total", 225)],
        [("Zwischensumme", 250), ("10 % Rabatt", -25), ("Gesamt netto", 225)],
        [("Summe", 250), ("abzgl. 10 % Rabatt", ""), ("Gesamtbetrag netto", 225)],
        [("Total HT", 250), ("Remise 10 %", 25), ("Total HT après remise", 225)],
        [("Subtotaal", 250), ("Korting 10%", -25), ("Totaal", 225)],
        [("Imponibile", 250), ("Sconto 10 %", -25), ("Totale", 225)],
        [("Subtotal", 250), ("Descuento 10 %", -25), ("Total", 225)],
        [("Subtotal", 250), ("Desconto 10 %", -25), ("Total", 225)],
    ],
)
def test_a_share_off_all_lines_is_no_doubt(sums: list[tuple[str, str | float]]) -> None:
    extraction = read(*sums)
    assert extraction.warnings == ()
    assert (extraction.net_total, extraction.total) == (225, 225)
    assert sum(line.amount or 0 for line in extraction.line_items) == 250


def test_the_tax_is_of_what_is_left() -> None:
    extraction = read(("Summe", 250), ("10 % Rabatt", -25), ("Gesamt netto", 225), ("MwSt 19 %", 42.75),
                      ("Gesamt brutto", 267.75))  # fmt: skip
    assert (extraction.net_total, extraction.total) == (225, Decimal("267.75"))
    assert extraction.warnings == ()


@pytest.mark.parametrize(
    ("sums", "said"),
    [
        ([("Subtotal", 250), ("Discount", -25), ("Total", 225)], ()),
        (
            [("Subtotal", 250), ("Discount 10 %", -30), ("Total", 220)],
            ("A discount is printed as 10 %, but 30 is 12 % of 250.",),
        ),
        ([("Subtotal", 250), ("Discount 10 %", -25), ("Partner discount 4 %", -9), ("Total", 216)], ()),
        (
            [("Subtotal", 250), ("Discount 10 %", -25), ("Partner discount 4 %", -18), ("Total", 207)],
            ("A discount is printed as 4 %, but 18 is 8 % of 225.",),
        ),
    ],
)
def test_a_discount_that_is_not_its_printed_share_is_said(
    sums: list[tuple[str, float]], said: tuple[str, ...]
) -> None:
    extraction = read(*sums)
    assert extraction.warnings == said
    assert extraction.net_total == sums[-1][1]


def test_a_discount_for_paying_soon_takes_nothing_off() -> None:
    extraction = read(("Total", 250), ("2 % discount if paid within 10 days", ""))
    assert (extraction.total, extraction.warnings) == (250, ())


@pytest.mark.parametrize("discount", [-25, 25])
@pytest.mark.parametrize(
    "label", ["Net total", "Grand total", "Amount payable", "Total", "Final price", "Your price", "Endpreis"]
)
def test_a_discount_in_money_below_a_total_is_taken_off_it(label: str, discount: int) -> None:
    extraction = read(("Total", 250), ("Special discount 10 %", discount), (label, 225))
    assert (extraction.net_total, extraction.total) == (225, 225)


def test_a_discount_in_money_for_paying_soon_takes_nothing_off() -> None:
    extraction = read(("Total", 250), ("2 % discount if paid within 10 days", 5), ("Reduced price", 245))
    assert (extraction.net_total, extraction.total) == (250, 250)


def test_a_figure_that_is_not_what_the_discount_leaves_takes_nothing_off() -> None:
    extraction = read(("Total", 250), ("Special discount", -25), ("Reference", 230))
    assert (extraction.net_total, extraction.total) == (250, 250)
    assert extraction.warnings == ("A discount of 25 is printed below the total, but taken off no sum.",)


def test_a_charge_behind_a_discount_of_the_lines_is_a_line() -> None:
    extraction = read(("Gross", 250), ("Discount 10 %", -25), ("Levy for recycling", 7.5), ("Total", 232.5))
    assert extraction.line_items[-1].description == "Levy for recycling"
    assert (extraction.net_total, len(extraction.line_items)) == (Decimal("232.5"), 3)
    assert not any("A discount" in warning for warning in extraction.warnings)
