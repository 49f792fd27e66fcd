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
     "MwSt. 19%;;;475,00", "GST included;;;475,00", "В том числе НДС;;;475,00"],
)  # fmt: skip
def test_a_printed_tax_that_the_total_holds_is_taken_out(tax: str) -> None:
    extraction = read(f"{GERMAN}Gesamtbetrag EUR;;;2.975,00\n{tax}\n")
    assert sums(extraction) == (2500, 475, 2975)
    assert not extraction.provenance["net_total"].verified
    assert extraction.warnings == ()


@pytest.mark.parametrize(
    "text",
    [
        ENGLISH + 'Total incl. 20% VAT EUR,,,"3,000.00"\n',
        ENGLISH + 'Total (20% VAT included),,,"3,000.00"\n',
        ENGLISH + TOTAL + "All prices include VAT at 20%.\n",
        ENGLISH + TOTAL + "VAT at 20% is included in the prices.\n",
        ENGLISH + TOTAL + "Alle Preise verstehen sich inkl. 20 % MwSt.\n",
        ENGLISH + TOTAL + "Tous les prix comprennent la TVA 20 %.\n",
        ENGLISH + TOTAL + "以上价格含20%增值税及运费。付款方式：预付30%。\n",
        ENGLISH.replace("Amount", "Total incl. 20% VAT") + TOTAL,
    ],
)
def test_a_tax_of_which_only_the_rate_is_printed_is_computed_and_never_certain(text: str) -> None:
    extraction = read(text)
    assert sums(extraction) == (2500, 500, 3000)
    for name in ("net_total", "tax_total"):
        place = extraction.provenance.get(name)
        assert place is None or (place.box, place.verified) == (None, False)
    assert extraction.warnings == ()


@pytest.mark.parametrize("tax", ["GST;;;270,45", "MwSt. 10%;;;270,45"])
def test_a_tax_below_a_sum_that_says_it_holds_it_is_taken_out(tax: str) -> None:
    extraction = read(f"{GERMAN}Subtotal (inc. GST);;;2.975,00\n{tax}\nTotal (inc. GST);;;2.975,00\n")
    assert sums(extraction) == (Decimal("2704.55"), Decimal("270.45"), 2975)


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


def rates(extraction: Extraction) -> list[tuple[bool | None, Decimal | None]]:
    return [(item.tax_included, item.tax_percent) for item in extraction.line_items]


KNOWN, UNKNOWN, NONE = [(True, Decimal(20))] * 2, [(True, None)] * 2, [(None, None)] * 2
TOOLS = "Item,Quantity,Unit price,Amount\nKey,10,15.00,150.00\nVice,2,96.00,192.00\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (ENGLISH + TOTAL + "All prices include 20% VAT.\n", KNOWN),
        (ENGLISH + TOTAL + "VAT 20% included\n", KNOWN),
        (ENGLISH + TOTAL + "All prices are gross prices including value added tax of 20%.\n", KNOWN),
        (ENGLISH + TOTAL + "Gross prices, including value added tax (20%).\n", KNOWN),
        (ENGLISH + TOTAL + "Alle prijzen zijn inclusief 20% btw.\n", KNOWN),
        (TOOLS + "Net total,,,285.00\nVAT 20%,,,57.00\nTotal,,,342.00\n", KNOWN),
        (TOOLS + "Net total,,,285.00\nVAT,,,57.00\nTotal,,,342.00\n", KNOWN),
        (ENGLISH + 'Total TTC,,,"3,000.00"\nTVA 20 % incluse\n', KNOWN),
        (ENGLISH + "All prices include 20% VAT.\n", KNOWN),
        (ENGLISH + 'Discount,,,-600.00\nNet total,,,"2,000.00"\nVAT,,,400.00\nTotal,,,"2,400.00"\n', KNOWN),
        (ENGLISH + TOTAL + "All prices are gross prices including value added tax.\n", UNKNOWN),
        (ENGLISH + 'Total incl. VAT,,,"3,000.00"\n', UNKNOWN),
        (ENGLISH + 'Net total,,,"2,590.00"\nVAT 10%,,,90.00\nVAT 20%,,,320.00\n' + TOTAL, UNKNOWN),
        (ENGLISH + TOTAL + "All prices exclude 20% VAT.\n", NONE),
        (ENGLISH + 'Net total,,,"3,000.00"\nVAT 20%,,,600.00\nTotal incl. VAT,,,"3,600.00"\n', NONE),
        (ENGLISH + TOTAL + "Prices include freight.\n", NONE),
    ],
)  # fmt: skip
def test_lines_know_the_tax_that_their_prices_hold(
    text: str, expected: list[tuple[bool | None, Decimal | None]]
) -> None:
    extraction = read(text)
    assert rates(extraction) == expected
    first = extraction.line_items[0]
    factor = Decimal("1.2") if expected == KNOWN else Decimal(1)
    for printed, net in (
        (first.amount, first.amount_before_tax), (first.unit_price, first.price_before_tax),
    ):  # fmt: skip
        assert printed is not None
        assert net == (None if expected == UNKNOWN else printed / factor)


def test_each_line_has_the_rate_of_its_column() -> None:
    extraction = read(
        "Item,Quantity,VAT %,Unit price,Amount\nBook,10,10%,16.50,165.00\nVice,2,20%,96.00,192.00\n"
        "Net total,,,,310.00\nVAT,,,,47.00\nTotal,,,,357.00\n"
    )
    assert rates(extraction) == [(True, 10), (True, 20)]
    assert [item.amount_before_tax for item in extraction.line_items] == [150, 160]


def test_of_net_and_gross_columns_the_net_is_taken() -> None:
    extraction = read(
        "Item,Quantity,Net price,Net amount,VAT,Gross amount\nKey,10,12.50,125.00,20%,150.00\n"
        "Vice,2,80.00,160.00,20%,192.00\nNet total,,,,,285.00\nVAT 20%,,,,,57.00\nTotal,,,,,342.00\n"
    )
    assert rates(extraction) == NONE
    assert [item.amount_before_tax for item in extraction.line_items] == [125, 160]
