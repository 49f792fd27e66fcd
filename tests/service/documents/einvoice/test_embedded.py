"""The e-document inside a hybrid PDF goes before its page."""

from decimal import Decimal

from app.service.documents.einvoice.embedded import check_with_page, find_embedded
from app.service.documents.extraction import Box, Extraction, Provenance
from app.service.documents.reading import read_document
from tests.service.documents import pdf_builder
from tests.service.documents.einvoice.samples import UBL

PLACE = Provenance(1, Box(0, 0, 10, 10), 0.98, verified=True)


def hybrid(xml: bytes, shown: str) -> bytes:
    """A PDF with an e-document inside, as Factur-X and ZUGFeRD files are built."""
    stream = f"BT /F1 10 Tf 1 0 0 1 50 700 Tm ({shown}) Tj ET".encode()
    return pdf_builder.from_objects(
        [
            b"<< /Type /Catalog /Pages 2 0 R"
            b" /Names << /EmbeddedFiles << /Names [(factur-x.xml) 6 0 R] >> >> >>",
            b"<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R"
            b" /Resources << /Font << /F1 5 0 R >> >> >>",
            b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
            b"<< /Type /Filespec /F (factur-x.xml) /EF << /F 7 0 R >> >>",
            b"<< /Type /EmbeddedFile /Length %d >>\nstream\n%s\nendstream" % (len(xml), xml),
        ]
    )


def test_an_e_document_inside_a_pdf_goes_before_the_page_unless_told_otherwise() -> None:
    content = hybrid(UBL, "Invoice total: EUR 121.00")
    assert read_document(content, "i.pdf").supplier == "Example BV"
    assert read_document(content, "i.pdf", ignore_embedded=True).supplier is None
    assert read_document(content, "i.pdf", ignore_embedded=True).total == 121


def test_a_value_that_the_page_shows_too_has_its_place() -> None:
    page = Extraction(
        "i.pdf", total=Decimal(121), currency="USD", provenance={"total": PLACE, "currency": PLACE}
    )
    found = find_embedded([b"no XML", UBL], "i.pdf")
    assert found is not None
    embedded = check_with_page(found, page)
    assert embedded.provenance["total"].box == PLACE.box
    assert embedded.provenance["currency"].box is None
    assert embedded.currency == "EUR"
    assert embedded.warnings == ("The e-document states currency EUR, the page shows USD.",)


def test_attachments_that_are_no_e_document_are_none() -> None:
    assert find_embedded([b"%PDF-1.7", b"<catalogue/>"], "i.pdf") is None
