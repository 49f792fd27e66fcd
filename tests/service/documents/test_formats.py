"""Formats: office files, e-documents, pictures; the format is told by the content."""

import base64
import zlib
from decimal import Decimal

import pytest

from app.service.documents.reading import read_document
from app.service.documents.sandbox.reader_pool import ReaderPool
from tests.service.documents import pdf_builder

ROWS = [
    ["SKU", "Product", "Unit", "Qty", "Unit Price", "Total"],
    ["ED-1", "Editor seats", "user", "10", "100.00", "1000.00"],
    ["VI-1", "Viewer seats", "user", "50", "10.00", "500.00"],
    ["", "", "", "", "Total", "1500.00"],
]
UBL = b"""<?xml version="1.0"?>
<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"
 xmlns:a="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"
 xmlns:b="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">
<b:ID>7</b:ID><b:IssueDate>2025-03-04</b:IssueDate><b:DocumentCurrencyCode>EUR</b:DocumentCurrencyCode>
<a:AccountingSupplierParty><a:Party><a:PartyName><b:Name>Example BV</b:Name></a:PartyName></a:Party>
</a:AccountingSupplierParty>
<a:TaxTotal><b:TaxAmount currencyID="EUR">21.00</b:TaxAmount></a:TaxTotal>
<a:LegalMonetaryTotal><b:TaxExclusiveAmount currencyID="EUR">100.00</b:TaxExclusiveAmount>
<b:TaxInclusiveAmount currencyID="EUR">121.00</b:TaxInclusiveAmount></a:LegalMonetaryTotal>
<a:InvoiceLine><b:InvoicedQuantity unitCode="C62">4</b:InvoicedQuantity>
<b:LineExtensionAmount currencyID="EUR">100.00</b:LineExtensionAmount>
<a:Item><b:Name>Editor seat</b:Name></a:Item>
<a:Price><b:PriceAmount currencyID="EUR">25.00</b:PriceAmount></a:Price>
</a:InvoiceLine></Invoice>"""

# A workbook of Excel 97, which nothing here writes: deflated, for it is mostly empty sectors.
XLS = zlib.decompress(
    base64.b64decode(
        "eNrtWDtMFFEUPW9md4GVzy6CCiRkQyIq0hgbG1wxIpUE/ERCTHSBKSbgzGaYLbBQFClNTKw0NiQ0NqiNn/iJdhYmGC1MTEwW7bQy"
        "0cQCGO+9O4OgW7CJEjFzJu/Mffe9e9+d95s382oumZ++2ziPX7AfOpa8CsRW6BSliiCTAJV7HovBvZySF2JDoaKcBjIWxaOql2U8"
        "hjze89BwJ/KcGPhA6RSy6LEtI7WOOCgxZBTH0EGscJM01WiQqGqFh4Q3C9+Wmo+FD4jminAH1c2rAcyle9r2+bO4X2uRsmqw3/ti"
        "8040e1CPFzyLL1xVhbpRdDpmZvTfLGiOVGIGNG7dhmU4mdE86mgAZ/DNSwFfg5X6LBXq11evQPrvq/VlRfTXtAgwAe+MTPApVGFB"
        "55Io+nK2ayygnwdX0ibgkDE25JhZ17Qt2mn7chnLNd3xOHDCMt1U1jGHDFq9nWftnOVWAl3Dpms7qTEj446Rh2O5bNZ23Chw3HYz"
        "o3Hey2XtJ1at/SpZE5XEw6gROSkrI0G7+8KtL6+PDPamT4tmQvb7wlthOz8IPFxkCzKulpLIMreJxW7hS+K1SeRG4Tp6YLq39tb7"
        "wuFJqXNZSlupnb2CN+kdK+SdJE997nvQPPUxvYvk2e75c3Wzb9PTaKG31DDZ8zWJdtWublxnPEwHd+XvIO+FG37bTcq1hB+757/6"
        "arCIuIhJ4UKOe0ct5zS/rwo5nXK670sV8aXEF/fOE2yTWJPUT6wb0JidreyDrbUi1prUjPrWhXGKie6THnDBWi9irUtNrv9UcmzN"
        "sZ/XOMeRDzTRGUCrxT1uiHbUn4gjRIgQIUKECBEixMaFknMr/FMi5EQZ8785+L/OIqWl8DfJf4ujsOly6cO0CxbdHYyXNH+2IKoC"
        "X2qNNsH/QsZJat3BCAYljpGS5y99x6mVz7Nmw8SfW0Kltr9USpx/uf0fSDThSQ=="
    )
)


@pytest.mark.parametrize(
    ("content", "filename"),
    [
        (
            pdf_builder.xlsx(
                [[float(c) if c.replace(".", "").isdigit() else c for c in row] for row in ROWS]
            ),
            "q.xlsx",
        ),
        (pdf_builder.comma_separated(ROWS), "q.csv"),
        (pdf_builder.comma_separated(ROWS, ";"), "q.csv"),
        (pdf_builder.docx(["Example Software Ltd", "Quote Q-9"], ROWS), "q.docx"),
    ],
)
def test_office_files_give_the_same_lines(content: bytes, filename: str) -> None:
    extraction = read_document(content, filename)
    assert [
        (line.item_id, line.description, line.unit, line.quantity, line.unit_price, line.amount)
        for line in extraction.line_items
    ] == [
        ("ED-1", "Editor seats", "user", 10, 100, 1000),
        ("VI-1", "Viewer seats", "user", 50, 10, 500),
    ]
    assert extraction.total == 1500


def test_an_old_workbook_gives_its_lines() -> None:
    extraction = read_document(XLS, "quote.xls")
    assert [(line.description, line.quantity, line.amount) for line in extraction.line_items] == [
        ("Editor seats", 10, 1500),
        ("Support", 1, 250),
    ]
    assert extraction.total == 1750


def test_values_of_office_files_have_no_place_on_a_page() -> None:
    extraction = read_document(pdf_builder.comma_separated(ROWS), "q.csv")
    assert extraction.pages == ()
    seen = [*extraction.provenance.values(), *extraction.line_items[0].provenance.values()]
    assert seen
    assert all(one.page is None and one.box is None for one in seen)


def test_a_ubl_invoice_is_read_as_it_states() -> None:
    extraction = read_document(UBL, "invoice.xml")
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
    assert read_document(UBL.replace(b"<a:TaxTotal>", koruna, 1), "invoice.xml").tax_total == 21


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


def test_text_in_a_picture_is_recognised(readers: ReaderPool) -> None:
    content = pdf_builder.picture(
        [
            (60, 60, "Example Software Ltd"), (60, 110, "QUOTE Q-1001"), (60, 160, "Date: 4 March 2025"),
            (60, 260, "Description"), (500, 260, "Qty"), (650, 260, "Unit price"), (880, 260, "Amount"),
            (60, 310, "Editor seats"), (500, 310, "10"), (650, 310, "150.00"), (880, 310, "1,500.00"),
            (650, 400, "Total"), (880, 400, "GBP 1,500.00"),
        ]
    )  # fmt: skip
    extraction = readers.read_document(content, "photo.png")
    assert extraction.total == 1500
    assert extraction.currency == "GBP"
    [line] = extraction.line_items
    assert (line.quantity, line.unit_price, line.amount) == (10, Decimal(150), 1500)


def test_pages_are_drawn_as_png_in_the_asked_width(readers: ReaderPool) -> None:
    content = pdf_builder.pdf([pdf_builder.Text(50, 60, "Hello")], [pdf_builder.Text(50, 60, "Page two")])
    drawn = readers.render_page(content, "two.pdf", 2, 400)
    assert drawn.startswith(b"\x89PNG")
    assert int.from_bytes(drawn[16:20], "big") == 400
    with pytest.raises(IndexError):
        readers.render_page(content, "two.pdf", 3, 400)
