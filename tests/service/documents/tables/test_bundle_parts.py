"""One price for several things: it counts once, and its parts are shown without a price of their own."""

from decimal import Decimal

import pytest

from app.service.documents.extraction import Extraction
from app.service.documents.reading import read_document
from app.service.scopes.line_roles import classify_line

HEAD = (
    "Quotation Q-9 from Acme Software Ltd\nDate: 2026-11-22\nCurrency: USD\n\n"
    "Description,Qty,Unit price,Amount\n"
)
FRENCH = (
    "Devis n° 5 de la part de Maison Lune\nDate : 22/11/2026\n\n"
    "Désignation;Quantité;Prix unitaire;Montant HT\n"
    "Pack Sécurité;10;300,00;3000,00\nPare-feu;10;;\nScanner;10;;\nTotal HT;;;3000,00 EUR\n"
)


def read(text: str) -> Extraction:
    return read_document(text.encode(), "quote.csv")


def list_parts(document: Extraction) -> dict[str, str]:
    return {one.description or "": one.part_of for one in document.line_items if one.part_of is not None}


@pytest.mark.parametrize(
    ("text", "bundle", "parts", "total"),
    [
        (
            f"{HEAD}Office Suite,10,300.00,3000.00\n- Mail,10,,\n- Drive,10,,\nSupport,1,500.00,500.00\n"
            "Total,,,3500.00\n",
            "Office Suite",
            ["- Mail", "- Drive"],
            3500,
        ),
        (
            f"{HEAD}Security bundle,100,12.00,1200.00\n"
            "Firewall,100,0.00,0.00\nScanner,100,included,included\n"
            "Total,,,1200.00\n",
            "Security bundle",
            ["Firewall", "Scanner"],
            1200,
        ),
        (
            f"{HEAD}Mail,10,,see bundle\nDrive,10,,see bundle\nBundle Mail and Drive,1,3000.00,3000.00\n"
            "Total,,,3000.00\n",
            "Bundle Mail and Drive",
            ["Mail", "Drive"],
            3000,
        ),
        (FRENCH, "Pack Sécurité", ["Pare-feu", "Scanner"], 3000),
    ],
)
def test_the_parts_of_a_bundle_are_shown_and_its_price_counts_once(
    text: str, bundle: str, parts: list[str], total: int
) -> None:
    document = read(text)
    assert list_parts(document) == dict.fromkeys(parts, bundle)
    counted = [one.amount or 0 for one in document.line_items if not one.optional]
    assert sum(counted) == document.net_total == Decimal(total)
    for one in document.line_items:
        # Also a part that is on record as a product is not compared at a price of 0.
        kind = classify_line(one, matched=True)
        assert (kind.role == "product", kind.adds_to_total) == (one.part_of is None,) * 2


@pytest.mark.parametrize(
    "lines",
    [
        # The total counts all of them: 1,000 is 400 and 600 by chance.
        "A,1,1000.00,1000.00\nB,1,400.00,400.00\nC,1,600.00,600.00\nTotal,,,2000.00\n",
        # What has no price may be the 250 that the lines lack.
        "Desk,10,100.00,1000.00\nVault,5,,\nTotal,,,1250.00\n",
        # Nobody knows yet what it costs.
        "Desk,10,100.00,1000.00\nVault,5,on request,on request\nTotal,,,1000.00\n",
        # It is given away, and with nothing.
        "Desk,10,100.00,1000.00\nOnboarding,1,0.00,0.00\nTotal,,,1000.00\n",
    ],
)
def test_nothing_is_a_part_that_nothing_proves_to_be_one(lines: str) -> None:
    assert not list_parts(read(HEAD + lines))
