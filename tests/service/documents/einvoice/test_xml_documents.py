"""XML documents are told apart by their root."""

import pytest

from app.service.documents.einvoice.xml_documents import read_xml
from app.service.documents.faults import UnreadableDocument, UnsupportedDocument
from tests.service.documents.einvoice.samples import CII, UBL


def test_each_kind_has_its_reader() -> None:
    assert read_xml(UBL, "invoice.xml").supplier == "Example BV"
    assert read_xml(CII, "invoice.xml").supplier == "Beispiel GmbH"


def test_other_xml_is_refused_and_so_is_broken_xml() -> None:
    with pytest.raises(UnsupportedDocument, match="no e-document"):
        read_xml(b"<catalogue/>", "catalogue.xml")
    with pytest.raises(UnreadableDocument, match="not well formed"):
        read_xml(UBL[:-5], "invoice.xml")
