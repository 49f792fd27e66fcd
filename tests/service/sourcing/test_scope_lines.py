"""What a document says as a quote: prices before tax, in the unit that it names, by quantity."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest

from app.contract.sourcing import NewSourcingQuoteLine
from app.service.catalog.line_match import MatchedDocument, MatchedLine, SupplierMatch
from app.service.documents.reading import read_document
from app.service.scopes.extraction_to_scope import extract_scope
from app.service.scopes.store import StoredScope
from app.service.sourcing.scope_lines import quote_lines, read_scope

HEAD = "Acme Tools Ltd\nQuotation Q-1\nDate: 2026-03-14\nCurrency: EUR\n\n"
GROSS = "Item,Qty,Unit price,Amount\nKey,10,15.00,150.00\nVice,2,96.00,192.00\nTotal,,,342.00\n"


def quote(text: str) -> list[NewSourcingQuoteLine]:
    """The lines of a quote that a document of this text makes, for a year."""
    document = read_document((HEAD + text).encode(), "quote.csv")
    matched = MatchedDocument(SupplierMatch(name="Acme"), [MatchedLine() for _ in document.line_items])
    read = extract_scope(document, matched, purchase_type=None, currency="EUR")
    known: dict[str, Any] = dict.fromkeys(StoredScope.__dataclass_fields__)
    known |= {
        "id": "s", "title": "s", "currency": read.currency, "scope_terms": read.scope_terms,
        "product_terms": read.product_terms, "quote_lines": read.quote_lines,
        "created_on": datetime(2026, 3, 14, tzinfo=UTC),
    }  # fmt: skip
    quoted = read_scope(StoredScope(**known), read.reading, {})
    return [line for _, line in quote_lines(quoted, 12)]


@pytest.mark.parametrize(
    ("text", "price", "included"),
    [
        (GROSS + "All prices include 20% VAT.\n", "12.50", None),
        (GROSS + "All prices include VAT.\n", "15.00", True),
        (GROSS + "All prices exclude VAT.\n", "15.00", None),
        *(
            (GROSS + f"{note}\n", "12.50", None)
            for note in (
                "Alle Preise inkl. 20 % MwSt.",
                "Tous les prix s'entendent TTC (TVA 20 %).",
                "Todos los precios incluyen IVA del 20 %.",
                "Prezzi IVA inclusa (20%)",
                "Alle prijzen zijn inclusief 20% btw.",
                "Ceny zawierają 20% VAT.",
                "Ceny obsahují 20 % DPH.",
                "Os preços incluem IVA à taxa de 20 %.",
                "Priserna inkluderar 20 % moms.",
                "Prices shown gross (20% VAT included)",
                "Hinnat sisältävät ALV 20 %.",
            )
        ),
        *(
            (
                f"{header}\nKey,10,15.00,150.00\nVice,2,96.00,192.00\nTotal incl. 20% VAT,,,342.00\n",
                "12.50",
                None,
            )
            for header in (
                "Item,Qty,Gross price,Gross total",
                "Artikel,Menge,Einzelpreis brutto,Gesamt brutto",
                "Article,Qté,Prix unitaire TTC,Total TTC",
                "Articolo,Q.tà,Prezzo ivato,Totale ivato",
                "Item,Qty,Unit price (tax included),Amount (tax included)",
            )
        ),
    ],
)
def test_prices_are_before_tax_or_say_that_they_are_not(text: str, price: str, included: bool | None) -> None:
    first, _ = quote(text)
    assert (first.quantity, first.unit_price, first.tax_included) == (10, Decimal(price), included)


@pytest.mark.parametrize(
    ("term", "months"), [("Term: 36 months\n", 36), ("Term: 12 months\n", None), ("", None)]
)
def test_a_price_for_another_term_says_for_which(term: str, months: int | None) -> None:
    [seat] = quote("Item,Qty,Unit price,Amount\nSeat,10,15.00,150.00\nTotal,,,150.00\n" + term)
    assert (seat.unit_price, seat.recurring, seat.term_months) == (15, "term", months)


@pytest.mark.parametrize(
    "table",
    [
        "Item,1+,100+,500+\nKey,12.50,11.00,9.50", "Item,>=1,>=100,>=500\nKey,12.50,11.00,9.50",
        "Item,Up to 99,100 to 499,500 and more\nKey,12.50,11.00,9.50",
        "Item,1 pc,100 pcs,500 pcs\nKey,12.50,11.00,9.50",
        'Artikel,bis 99 Stk,ab 100 Stk,ab 500 Stk\nKey,"12,50","11,00","9,50"',
        'Artikel,ab Menge,Preis\nKey,1,"12,50"\nKey,100,"11,00"\nKey,500,"9,50"',
        "Article,À partir de,Prix unitaire\nKey,1,12.50\n,100,11.00\n,500,9.50",
        "Item,Min qty,Max qty,Unit price\nKey,1,99,12.50\nKey,100,499,11.00\nKey,500,,9.50",
        "Artículo,Desde,Precio\nKey,1,12.50\nKey,100,11.00\nKey,500,9.50",
        "Artikel,Staffel,Prijs\nKey,1-99,12.50\nKey,100-499,11.00\nKey,500+,9.50",
    ],
)  # fmt: skip
def test_steps_are_read_in_every_layout(table: str) -> None:
    [key] = quote(f"{table}\n")
    assert (key.unit_price, key.minimum_quantity) == (Decimal("12.5"), None)
    assert [(one.from_quantity, one.unit_price) for one in key.breaks or ()] == [
        (100, 11),
        (500, Decimal("9.5")),
    ]


@pytest.mark.parametrize(
    "price",
    [
        "Price per 1000", '"Price per 1,000"', "Price / 1000 pcs", "Preis je 1000", "Preis pro 1.000 Stück",
        "Prix pour 1000", "Precio por 1000", "Price per thousand", "Price/M", "Price per mille", "EUR/1000",
    ],
)  # fmt: skip
def test_a_price_for_a_thousand_is_that_of_one(price: str) -> None:
    first, _ = quote(
        f"Item,Qty,{price},Amount\nScrew,5000,12.00,60.00\nNail,2000,15.00,30.00\nTotal,,,90.00\n"
    )
    assert (first.quantity, first.unit_price) == (5_000, Decimal("0.012"))


def test_steps_become_price_breaks() -> None:
    key, vice = quote("Item,1-99,100-499,500+\nKey,12.50,11.00,9.50\nVice,80.00,72.00,65.00\n")
    assert (key.unit_price, key.recurring, key.minimum_quantity) == (Decimal("12.50"), "term", None)
    assert [(one.from_quantity, one.unit_price) for one in key.breaks or ()] == [
        (100, Decimal("11.00")), (500, Decimal("9.50")),
    ]  # fmt: skip
    assert vice.description == "Vice"
    [least] = quote("Item,From qty,Price per 100\nKey,100,1250.00\n,500,1100.00\n")
    assert (least.minimum_quantity, least.unit_price) == (100, Decimal("12.5"))
    assert [(one.from_quantity, one.unit_price) for one in least.breaks or ()] == [
        (100, Decimal("12.5")), (500, 11),
    ]  # fmt: skip


def test_a_line_keeps_the_unit_of_its_document() -> None:
    [bags] = quote("Item,Qty,Unit,Unit price,Amount\nWasher,10,bag of 100,5.00,50.00\nTotal,,,,50.00\n")
    assert (bags.quantity, bags.unit, bags.unit_price) == (10, "bag of 100", 5)
