"""Cross-industry documents are read as they state."""

from datetime import date

from app.service.documents.einvoice.cii import is_cii, read_cii
from app.service.documents.einvoice.xml_tree import parse_xml
from tests.service.documents.einvoice.samples import CII, UBL


def test_an_invoice_has_its_parties_sums_and_lines() -> None:
    read = read_cii(parse_xml(CII), "factur-x.xml")
    assert (read.kind, read.document_number, read.document_date) == ("invoice", "7", date(2025, 3, 4))
    assert (read.supplier, read.buyer, read.currency) == ("Beispiel GmbH", "Sample plc", "EUR")
    assert (read.net_total, read.tax_total, read.total) == (100, 19, 119)
    [line] = read.line_items
    assert (line.item_id, line.description, line.quantity, line.unit) == ("ED-1", "Editor seat", 4, "C62")
    assert (line.list_unit_price, line.unit_price, line.amount) == (30, 25, 100)
    assert all(seen.verified for seen in line.provenance.values())


def test_a_quotation_is_a_quote() -> None:
    quotation = CII.replace(b"<a:TypeCode>380<", b"<a:TypeCode>310<")
    assert read_cii(parse_xml(quotation), "order-x.xml").kind == "quote"


def test_other_documents_are_none() -> None:
    assert is_cii(parse_xml(CII))
    assert not is_cii(parse_xml(UBL))
