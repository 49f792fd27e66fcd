"""Amounts that a document states in thousands or millions are never certain at face value."""

import pytest

from app.service.documents.extraction import Extraction
from app.service.documents.reading import read_document

LINES = "Item,Quantity,Unit price,Amount\nServer,2,100,200\nSwitch,1,150,150\nTotal,,,350\n"


def read(text: str) -> Extraction:
    head = "Acme Software Ltd\nQuote Q-1\nDate: 2026-03-14\nCurrency: EUR\n\n"
    return read_document((head + text).encode(), "quote.csv")


@pytest.mark.parametrize(
    "words",
    [
        "All amounts in EUR thousands", "(in thousands of EUR)", "Amounts in thousands", "Angaben in TEUR",
        "Alle Preise in Tsd. EUR", "Alle Preise in Mio. €", "Figures are EUR '000", "Values in T€",
    ],
)  # fmt: skip
def test_a_stated_scale_makes_all_amounts_doubtful(words: str) -> None:
    extraction = read(f"{words}\n{LINES}")
    assert extraction.total == 350
    assert not extraction.provenance["total"].verified
    places = [one.provenance[name] for one in extraction.line_items for name in ("unit_price", "amount")]
    assert places
    assert not any(place.verified for place in places)
    said = f"“{words}”: amounts may be in thousands or millions; they are read as printed."
    assert said in extraction.warnings


def test_a_scale_in_a_header_makes_all_amounts_doubtful() -> None:
    header = "Price USD '000,Amount USD '000"
    extraction = read(LINES.replace("Unit price,Amount", header))
    assert not extraction.provenance["total"].verified
    assert any("may be in thousands" in one for one in extraction.warnings)


@pytest.mark.parametrize(
    "words",
    ["Trusted by thousands of customers", "Insured for EUR 5 million", "Liability up to 2 million EUR",
     "Kept in thousands of places", "All amounts in EUR"],
)  # fmt: skip
def test_words_about_other_things_leave_the_amounts_certain(words: str) -> None:
    extraction = read(f"{LINES}{words}\n")
    assert extraction.provenance["total"].verified
    assert extraction.warnings == ()


@pytest.mark.parametrize(
    ("printed", "total"),
    [("EUR 2.5 million", 2_500_000), ("€2.5m", 2_500_000), ("2.5m EUR", 2_500_000), ("€150k", 150_000),
     ("150 TEUR", None)],
)  # fmt: skip
def test_a_total_with_a_scale_is_multiplied(printed: str, total: int | None) -> None:
    extraction = read(f"Item,Amount\nServer,{printed}\nTotal,{printed}\n")
    if total is None:
        assert not extraction.provenance["total"].verified
        assert any("may be in thousands" in one for one in extraction.warnings)
    else:
        assert extraction.total == total
