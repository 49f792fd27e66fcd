"""A total that holds its tax is not the price before tax."""

from decimal import Decimal

import pytest

from app.service.documents.extraction import Extraction
from app.service.documents.reading import read_document

ENGLISH = 'Item,Quantity,Unit price,Amount\nServer,2,"1,250.00","2,500.00"\nSwitch,1,500.00,500.00\n'
TOTAL = 'Total EUR,,,"3,000.00"\n'
GERMAN = "Beschreibung;Menge;Einzelpreis;Betrag\nServer;2;1.000,00;2.000,00\nSwitch;1;975,00;975,00\n"


def read(text: str) -> Extraction:
    head = "Acme Software Ltd\nQuote Q-1\nDate: 2026-03-14\nCurrency: EUR\n\n"
    return read_document((head + text).encode(), "quote.csv")


def sums(extraction: Extraction) -> tuple[Decimal | None, Decimal | None, Decimal | None]:
    return extraction.net_total, extraction.tax_total, extraction.total


@pytest.mark.parametrize(
    "tax",
    ["enthaltene MwSt. 19%;;;475,00", "(darin enthalten 19% MwSt: 475,00)", "davon MwSt.;;;475,00",
     "MwSt. 19%;;;475,00"],
)  # fmt: skip
def test_a_printed_tax_that_the_total_holds_is_taken_out(tax: str) -> None:
    extraction = read(f"{GERMAN}Gesamtbetrag EUR;;;2.975,00\n{tax}\n")
    assert sums(extraction) == (2500, 475, 2975)
    assert not extraction.provenance["net_total"].verified
    assert extraction.warnings == ("The lines add up to the total of 2,975: their prices include the tax.",)


@pytest.mark.parametrize(
    "text",
    [
        ENGLISH + 'Total incl. 20% VAT EUR,,,"3,000.00"\n',
        ENGLISH + 'Total (20% VAT included),,,"3,000.00"\n',
        ENGLISH + TOTAL + "All prices include VAT at 20%.\n",
        ENGLISH + TOTAL + "VAT at 20% is included in the prices.\n",
        ENGLISH + TOTAL + "Alle Preise verstehen sich inkl. 20 % MwSt.\n",
        ENGLISH + TOTAL + "Tous les prix comprennent la TVA 20 %.\n",
        ENGLISH.replace("Amount", "Total incl. 20% VAT") + TOTAL,
    ],
)
def test_a_tax_of_which_only_the_rate_is_printed_is_computed_and_never_certain(text: str) -> None:
    extraction = read(text)
    assert sums(extraction) == (2500, 500, 3000)
    for name in ("net_total", "tax_total"):
        place = extraction.provenance.get(name)
        assert place is None or (place.box, place.verified) == (None, False)
    assert "The total of 3,000 includes a tax of 20 %, which is taken out." in extraction.warnings


@pytest.mark.parametrize(
    "text",
    [
        ENGLISH + 'Total incl. VAT,,,"3,000.00"\n',
        ENGLISH + 'Total TTC,,,"3,000.00"\n',
        ENGLISH + TOTAL + "All prices include VAT.\n",
        ENGLISH.replace("Amount", "Total incl. VAT") + TOTAL,
        ENGLISH.replace("Unit price", "Price incl. VAT") + TOTAL,
    ],
)
def test_an_included_tax_without_a_rate_is_said(text: str) -> None:
    extraction = read(text)
    assert sums(extraction) == (3000, None, 3000)
    assert not extraction.provenance["net_total"].verified
    assert extraction.warnings == ("The total of 3,000 includes a tax; no price before tax is printed.",)


@pytest.mark.parametrize(
    "words",
    [
        "Prices do not include VAT at 20%.",
        "VAT at 20% is not included in the prices.",
        "All prices are exclusive of VAT at 20%.",
        "Prices include delivery. VAT at 20% is added.",
        "Alle Preise zzgl. 20 % MwSt.",
        "Les prix sont hors TVA 20 %.",
        "Price list 4 with taxi service included",
        "All prices in EUR",
    ],
)
def test_a_tax_that_comes_on_top_is_not_taken_out(words: str) -> None:
    extraction = read(f"{ENGLISH}{TOTAL}{words}\n")
    assert sums(extraction) == (3000, None, 3000)
    assert not any("includes a tax" in one for one in extraction.warnings)


def test_a_tax_on_top_of_a_net_is_no_part_of_it() -> None:
    extraction = read(f'{ENGLISH}Subtotal,,,"3,000.00"\nVAT 20%,,,600.00\nTotal,,,"3,600.00"\n')
    assert sums(extraction) == (3000, 600, 3600)
    assert extraction.warnings == ()
