"""The document's own number among the other numbers at the top of a page."""

import pytest

from app.service.documents.reading import read_document
from tests.service.documents import pdf_builder


def number(title: str, *fields: tuple[str, str]) -> str | None:
    texts = [pdf_builder.Text(60, 60, title, size=16)]
    for order, (label, value) in enumerate(fields):
        texts += [
            pdf_builder.Text(60, 100 + 14 * order, label),
            pdf_builder.Text(220, 100 + 14 * order, value),
        ]
    return read_document(pdf_builder.pdf(texts), "page.pdf").document_number


@pytest.mark.parametrize(
    ("title", "fields", "read"),
    [
        ("Invoice", [("Folio No.", ": 331906"), ("Telephone", "414-555-0119")], "331906"),
        ("Rechnung / Invoice", [("Rechnungsnr. / Invoice no.", "90-26-00418")], "90-26-00418"),
        ("RECHNUNG", [("RECHNUNG-NR.", "710 448 1926"), ("KUNDEN-NR.", "448 1926")], "710 448 1926"),
        ("ORDER CONFIRMATION", [("Order no.", "318842"), ("Your order no.", "P-90321")], "318842"),
        ("INVOICE", [("Order no.", "RA-7781"), ("No", ": 204417")], "204417"),
        ("FACTURE", [("N° L-55120", ""), ("Bon de commande : 7781", "")], "L-55120"),
        ("Order Form", [("Order No.", "AMD-0063"), ("Terms of Order KL-2024-511 apply", "")], "AMD-0063"),
        ("Order Form", [("Services - US-OD-88149", ""), ("Agreement", "US-CSA-QTM-66301")], "US-OD-88149"),
        ("Auftragsbestätigung", [("Nummer/Datum", "70034412 / 14.05.2025"), ("Bestellnummer", "45009188"),
                                 ("Kundennummer", "204418")], "70034412"),
        ("PURCHASE ORDER", [("Vendor", "V-10938"), ("PO Number", "4500077312")], "4500077312"),
        ("Purchase Order", [("Number", "#PO104482")], "PO104482"),
        ("Order acknowledgement", [("Our order", "SO-31190"), ("Your PO", "PO 2025-044")], "SO-31190"),
        ("Quartalsrechnung Q3/2025", [("Rechnung", "SW-R-250731")], "SW-R-250731"),
        ("Verlengingsofferte VS-25-30882", [("Vervaldag", "5 december 2025")], "VS-25-30882"),
    ],
)  # fmt: skip
def test_the_number_is_the_documents_own(title: str, fields: list[tuple[str, str]], read: str) -> None:
    assert number(title, *fields) == read
