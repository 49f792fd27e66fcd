"""Prices that depend on the quantity."""

from decimal import Decimal

import pytest

from app.service.documents.extraction import Extraction
from app.service.documents.lexicon.quantity_bands import read_band
from app.service.documents.reading import read_document

Steps = list[tuple[int, int | None, str]]
THREE: Steps = [(1, None, "12.50"), (100, None, "11.00"), (500, None, "9.50")]
ENDING: Steps = [(1, 99, "12.50"), (100, 499, "11.00"), (500, None, "9.50")]


def read(text: str, title: str = "Quotation Q-1") -> Extraction:
    head = f"Acme Tools Ltd\n{title}\nDate: 2026-03-14\nCurrency: EUR\n\n"
    return read_document((head + text + "\n").encode(), "quote.csv")


def list_steps(extraction: Extraction) -> Steps:
    """The steps of the first thing."""
    first = extraction.line_items[0].description
    return [
        (
            int(one.from_quantity),
            None if one.to_quantity is None else int(one.to_quantity),
            str(one.unit_price),
        )
        for one in extraction.line_items
        if one.from_quantity is not None and one.description == first
    ]


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("Item,1-99,100-499,500+\nKey,12.50,11.00,9.50\nVice,80.00,72.00,65.00", ENDING),
        ("Item,1 - 99 pcs,100 - 499 pcs,from 500 pcs\nKey,12.50,11.00,9.50", ENDING),
        ("Item,1 pc,100 pcs,500 pcs\nKey,12.50,11.00,9.50", THREE),
        ("Item,1+,100+,500+\nKey,12.50,11.00,9.50", THREE),
        ("Item,1+,100+,500+,Until now\nKey,12.50,11.00,9.50,12.00", THREE),
        ("Artikel,ab 1 Stück,ab 100 Stück,ab 500 Stück\nKey,12.50,11.00,9.50", THREE),
        ("Item,Price 1-99,Price 100-499,Price 500+\nKey,12.50,11.00,9.50", ENDING),
        ("Item,Quantity,Price each\nKey,1 - 99,12.50\n,100 - 499,11.00\n,from 500,9.50", ENDING),
        ("Item,Quantity,Price each\nKey,up to 99,12.50\n,100 to 499,11.00\n,500 and more,9.50", ENDING),
        ("Artikel,Staffel ab,Preis/Stk\nKey,1,12.50\n,100,11.00\n,500,9.50", THREE),
        ("Item,From qty,Unit price\nKey,1,12.50\n,100,11.00\n,500,9.50\nVice,1,80.00\n,10,72.00", THREE),
        ("Item,From qty,Unit price\nKey,1,12.50\nKey,100,11.00\nKey,500,9.50", THREE),
        ("Item,From,To,Unit price\nKey,1,99,12.50\n,100,499,11.00\n,500,,9.50", ENDING),
        ("Item,Quantity,Unit price\nKey,>= 1,12.50\n,>= 100,11.00\n,>= 500,9.50", THREE),
        ("Artículo,Cantidad,Precio\nKey,desde 1,12.50\n,desde 100,11.00\n,desde 500,9.50", THREE),
        ("品名,1-99,100-499,500以上\nKey,12.50,11.00,9.50", ENDING),
        ("Nazwa,1-99,100-499,500 sztuk wzwyż\nKey,12.50,11.00,9.50", ENDING),
        ("Item,1-99,100+\nKey,12.50,11.00", [(1, 99, "12.50"), (100, None, "11.00")]),
    ],
)
def test_steps_are_read_with_the_quantities_for_which_they_hold(text: str, steps: Steps) -> None:
    extraction = read(text)
    assert list_steps(extraction) == steps
    assert (extraction.kind, extraction.net_total, extraction.total) == ("quote", None, None)
    assert all(one.quantity is None and one.amount is None for one in extraction.line_items)
    assert extraction.warnings == ()


@pytest.mark.parametrize(
    "text",
    [
        "Item,Qty,Unit price,Amount\nKey,10,12.50,125.00\nVice,2,80.00,160.00\nTotal,,,285.00",
        "Item,Qty,Unit price\nKey 12,10,12.50\nKey 14,20,12.00\nVice,30,8.00",
        "Item,2024,2025,2026\nKey,12.50,11.00,9.50",
    ],
)
def test_ordinary_lines_are_no_steps(text: str) -> None:
    assert not any(one.from_quantity is not None for one in read(text).line_items)


def test_steps_know_how_many_units_and_how_long_a_price_is_for() -> None:
    first = read("Item,From qty,Price per 100\nKey,100,1250.00\n,500,1100.00").line_items[0]
    assert (first.price_before_tax, first.price_basis_quantity) == (Decimal("12.5"), 100)
    seats = read("Seats,Users,Price per user per month\nDesk,1-24 users,6.50\n,25+ users,5.90").line_items
    assert [(one.from_quantity, one.unit, one.period_months) for one in seats] == [
        (1, "users", 1), (25, "users", 1),
    ]  # fmt: skip


def test_steps_beside_lines_with_amounts_are_said() -> None:
    extraction = read(
        "Item,Qty,Unit price,Amount\nKey,10,12.50,125.00\nfrom 100,,11.00,\nfrom 500,,9.50,\nTotal,,,125.00"
    )
    assert [one.amount for one in extraction.line_items] == [125]
    assert any("11.00 from 100" in one for one in extraction.warnings)


@pytest.mark.parametrize(
    ("text", "band"),
    [
        ("1,000 - 4,999", (1000, 4999)), ("1.000+", (1000, None)), ("over 500", (501, None)),
        ("bis 99 Stk.", (1, 99)), ("100 bis 499", (100, 499)), ("dès 50", (50, None)),
        ("à partir de 50", (50, None)), ("vanaf 25", (25, None)), ("12.50", None), ("9-1", None),
        ("M8", None), ("7A1120", None), ("7 a 20", (7, 20)),
        ("per 100", None), ("2026-03-14", None), ("50 or more", (50, None)), ("> 99", (100, None)),
    ],
)  # fmt: skip
def test_bands_are_read(text: str, band: tuple[int, int | None] | None) -> None:
    found = read_band(text)
    assert (None if found is None else (found.start, found.end)) == band


def test_columns_with_numbers_are_no_steps() -> None:
    extraction = read(
        "13. Goods,14. Quantity,15. Unit price,16. Amount\nGlycerine,60,940.00,56400.00\nTotal,,,56400.00"
    )
    assert [(one.from_quantity, one.amount) for one in extraction.line_items] == [(None, 56400)]


RUNS = [("Print", 500, 590), ("Print", 1000, 770), ("Fold", 500, 60), ("Fold", 1000, 110)]


@pytest.mark.parametrize("total", ["", "Total,650.00,880.00\n"])
def test_what_grows_with_bare_quantities_is_asked_for_all_of_them(total: str) -> None:
    items = read(f"Work,500 pcs,1000 pcs\nPrint,590.00,770.00\nFold,60.00,110.00\n{total}").line_items
    assert [(one.description, one.quantity, one.amount) for one in items] == RUNS
    assert all(one.optional and one.from_quantity is None for one in items)
    assert items[0].unit_price == Decimal("1.18")
