"""UBL documents are read as they state."""

import pytest

from app.service.documents.einvoice.ubl import is_ubl, read_ubl
from app.service.documents.einvoice.xml_tree import parse_xml
from app.service.documents.extraction import Extraction
from tests.service.documents.einvoice.samples import CII, UBL


def read(content: bytes) -> Extraction:
    return read_ubl(parse_xml(content), "invoice.xml")


def test_a_ubl_invoice_is_read_as_it_states() -> None:
    extraction = read(UBL)
    assert (extraction.supplier, extraction.currency, extraction.document_number) == (
        "Example BV",
        "EUR",
        "7",
    )
    assert (extraction.net_total, extraction.tax_total, extraction.total) == (100, 21, 121)
    [line] = extraction.line_items
    assert (line.description, line.quantity, line.unit_price, line.amount) == ("Editor seat", 4, 25, 100)
    assert all(seen.verified for seen in extraction.provenance.values())


def test_tax_is_read_in_the_documents_currency_where_it_stands_in_two() -> None:
    koruna = b"""<a:TaxTotal><b:TaxAmount currencyID="CZK">519.75</b:TaxAmount></a:TaxTotal>\n<a:TaxTotal>"""
    assert read(UBL.replace(b"<a:TaxTotal>", koruna, 1)).tax_total == 21


@pytest.mark.parametrize(
    ("root", "kind"),
    [("Invoice", "invoice"), ("CreditNote", "credit_note"), ("Order", "order"), ("Quotation", "quote")],
)
def test_the_root_names_the_kind(root: str, kind: str) -> None:
    assert (
        read(
            UBL.replace(b"Invoice xmlns", f"{root} xmlns".encode()).replace(
                b"</Invoice>", f"</{root}>".encode()
            )
        ).kind
        == kind
    )


def test_tax_that_is_not_stated_is_the_difference() -> None:
    without = UBL[: UBL.index(b"<a:TaxTotal>")] + UBL[UBL.index(b"<a:LegalMonetaryTotal>") :]
    assert read(without).tax_total == 21


def test_other_documents_are_none() -> None:
    assert is_ubl(parse_xml(UBL))
    assert not is_ubl(parse_xml(CII))
    assert not is_ubl(parse_xml(b"<Invoice/>"))
