"""A charge between a subtotal and the total is no tax, whatever its share of the subtotal is."""

import pytest

from app.service.documents.extraction import Extraction
from app.service.documents.reading import read_document

ENGLISH = 'Item,Quantity,Unit price,Amount\nServer,2,"1,000.00","2,000.00"\nSwitch,1,500.00,500.00\n'
GERMAN = "Beschreibung;Menge;Einzelpreis;Betrag\nServer;2;1.000,00;2.000,00\nSwitch;1;500,00;500,00\n"


def read(lines: str, sums: str) -> Extraction:
    text = f"Acme Software Ltd\nQuote Q-1\nDate: 2026-03-14\nCurrency: EUR\n\n{lines}{sums}"
    return read_document(text.encode(), "quote.csv")


@pytest.mark.parametrize("total", ["Total EUR excl. VAT", "Total EUR", "Net total"])
@pytest.mark.parametrize(
    "label",
    ["Annual support", "Freight", "Shipping", "Service fee 10%", "Contingency", "Project management 10%",
     "Fuel surcharge 10%"],
)  # fmt: skip
def test_a_charge_below_a_subtotal_is_no_tax(label: str, total: str) -> None:
    sums = f'Subtotal,,,"2,500.00"\n{label},,,250.00\n{total},,,"2,750.00"\n'
    extraction = read(ENGLISH, sums)
    assert (extraction.net_total, extraction.tax_total, extraction.total) == (2750, None, 2750)


@pytest.mark.parametrize("total", ["Gesamtsumme netto", "Gesamtsumme"])
def test_a_german_charge_is_no_tax(total: str) -> None:
    sums = f"Zwischensumme;;;2.500,00\nFrachtkosten;;;150,00\n{total};;;2.650,00\n"
    extraction = read(GERMAN, sums)
    assert (extraction.net_total, extraction.tax_total, extraction.total) == (2650, None, 2650)


def test_a_charge_that_no_rule_knows_is_said_and_leaves_the_net_doubtful() -> None:
    extraction = read(ENGLISH, 'Subtotal,,,"2,500.00"\nAnnual support,,,500.00\nTotal EUR,,,"3,000.00"\n')
    said = "No label calls 500 a tax: it is taken for a charge, and 3,000 for the price before tax."
    assert said in extraction.warnings
    assert not extraction.provenance["net_total"].verified


def test_a_tax_that_a_known_language_does_not_call_one_is_not_certain() -> None:
    extraction = read(ENGLISH, 'Subtotal,,,"2,500.00"\nGrazz 20%,,,500.00\nPlovus,,,"3,000.00"\n')
    assert (extraction.net_total, extraction.tax_total, extraction.total) == (2500, 500, 3000)
    assert not any(extraction.provenance[name].verified for name in ("net_total", "tax_total", "total"))
    assert "A tax of 500 was read, but no label says that it is one." in extraction.warnings


@pytest.mark.parametrize("label", ["VAT 20%", "Sales tax", "Mehrwertsteuerbetrag", "IVA", "TVA", "Moms"])
def test_a_tax_that_a_label_names_is_certain(label: str) -> None:
    extraction = read(ENGLISH, f'Subtotal,,,"2,500.00"\n{label},,,500.00\nTotal,,,"3,000.00"\n')
    assert (extraction.net_total, extraction.tax_total, extraction.total) == (2500, 500, 3000)
    assert extraction.provenance["net_total"].verified
    assert extraction.warnings == ()
