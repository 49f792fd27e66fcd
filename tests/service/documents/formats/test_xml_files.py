"""XML files state their values."""

from app.service.documents.formats.xml_files import XML
from tests.service.documents.einvoice.samples import UBL


def test_markup_that_is_no_web_page_is_xml() -> None:
    assert XML.matches(b"<Invoice/>", "a.txt")
    assert not XML.matches(b"<html><body/></html>", "a.xml")
    assert not XML.matches(b"a,b", "a.xml")


def test_an_e_document_is_read() -> None:
    assert XML.read_values(UBL, "invoice.xml").total == 121
