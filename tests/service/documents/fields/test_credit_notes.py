"""Documents that give money back are no quotes and no invoices."""

import pytest

from app.service.documents.einvoice.document_codes import build_document
from app.service.documents.fields.identity import find_kind, find_number
from app.service.documents.reading import read_document
from tests.service.documents.typewriter import type_document

UBL = (
    '<{root} xmlns="urn:oasis:names:specification:ubl:schema:xsd:{root}-2"'
    ' xmlns:b="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">'
    "<b:ID>7</b:ID><b:{root}TypeCode>{code}</b:{root}TypeCode></{root}>"
)


def kind_of(*lines: str) -> str:
    return find_kind(type_document("\n".join(["Acme Tools Ltd", *lines, "Date: 2026-03-14"])).rows)


@pytest.mark.parametrize(
    "title",
    [
        "Credit note", "Credit Note CN-2207", "CREDIT MEMO", "Credit memorandum no. 5",
        "Sales Credit Invoice",
        "Tax credit note for invoice 7", "Gutschrift", "Gutschrift Nr. 5 zu Rechnung 7", "Rechnungskorrektur",
        "Stornorechnung", "Avoir n° 12", "Facture d'avoir", "Nota di credito", "Factura rectificativa",
        "Creditnota", "Creditfactuur", "Nota de crédito", "Kreditnota", "Kreditfaktura", "Refund",
        "Refund note",
        "Return note 12", "Korekta faktury nr 5", "Nota de credit", "Factură storno", "Dobropis",
        "İade faturası", "Кредит-нота 5", "Корректировочный счет-фактура", "Πιστωτικό τιμολόγιο",
        "赤伝票", "红字发票",
    ],
)  # fmt: skip
def test_a_title_names_a_credit_note(title: str) -> None:
    assert kind_of(title) == "credit_note"


@pytest.mark.parametrize(
    ("lines", "kind"),
    [
        (("Invoice", "We accept credit cards."), "invoice"),
        (("Quotation", "Credit terms: 30 days"), "quote"),
        (("Quotation", "1,000 API credits   50.00"), "quote"),
        (("Quotation", "A credit note will be issued for returned goods."), "quote"),
        (("Quotation", "Refund policy"), "quote"),
        (("Quotation", "Credit limit: 5,000"), "quote"),
        (("Rechnung", "Gutschrift auf Ihr Konto"), "invoice"),
        (("Devis", "Le client peut avoir une remise."), "quote"),
        (("Gutschrift", "Abrechnung im Gutschriftverfahren"), "invoice"),
        (("Self-billed credit note", "Self-billing agreement of 2025"), "invoice"),
        (("Credit application", "Credit reference: 12"), "other"),
    ],
)
def test_credit_is_a_word_of_other_documents_too(lines: tuple[str, ...], kind: str) -> None:
    assert kind_of(*lines) == kind


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("380", "invoice"), ("389", "invoice"), ("384", "invoice"), (None, "invoice"), ("310", "quote"),
        *((code, "credit_note") for code in ("381", "261", "296", "308", "396", "420", "458", "83")),
    ],
)  # fmt: skip
def test_a_type_code_names_a_credit_note(code: str | None, kind: str) -> None:
    extraction = build_document("a.xml", code, "invoice", (), {})
    assert extraction.kind == kind
    assert bool(extraction.warnings) == (code == "384")


@pytest.mark.parametrize(
    ("root", "code", "kind"),
    [("CreditNote", "381", "credit_note"), ("Invoice", "381", "credit_note"), ("Invoice", "380", "invoice")],
)
def test_an_electronic_credit_note_is_one(root: str, code: str, kind: str) -> None:
    assert read_document(UBL.format(root=root, code=code).encode(), "x.xml").kind == kind


@pytest.mark.parametrize(
    ("page", "number"),
    [
        ("Kreditnota nr. 5512\nVedr. faktura 5388 af 11-06-2025", "5512"),
        ("FACTURA RECTIFICATIVA R25-004\nRectifica a la factura 25-1180 de 12/09/2025", "R25-004"),
        ("Gutschrift Nr. GS-2025-0088\nZu Rechnung RE-2025-3310 vom 31.07.2025", "GS-2025-0088"),
        ("Kreditfaktura 4410\nAvser faktura 4302", "4410"),
        ("Credit memo CM-77120\nOriginal invoice INV-70988", "CM-77120"),
    ],
)
def test_the_number_is_the_notes_and_not_that_of_the_invoice(page: str, number: str) -> None:
    document = type_document(page)
    found = find_number(document.rows, document.sentences, find_kind(document.rows))
    assert found is not None
    assert found[0] == number
