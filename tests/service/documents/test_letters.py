"""Offers written as letters, and who sends and receives a document."""

from datetime import date
from decimal import Decimal

import pytest

from app.service.documents.extraction import Extraction
from app.service.documents.fields.clauses import Clauses, read_clauses
from app.service.documents.fields.document_dates import role_of_date
from app.service.documents.reading import read_document
from app.service.documents.values.money import find_document_currency
from app.service.values.folding import fold
from tests.service.documents import pdf_builder
from tests.service.documents.typewriter import type_sentences

LETTER = [
    "Example Software Ltd",
    "12 Harbour Street, Leeds LS1 4AP",
    "4 March 2025",
    "As promised, here is our offer EX/25/031 for Sample Dairy Limited.",
    "- Editor seats: 10 users at £12.50 per user per month for 12 months, £1,500.00 in all.",
    "- Onboarding: a one-off charge of £500.00.",
    "The total is therefore £2,000.00 before VAT; VAT at 20% adds £400.00, so that the amount",
    "payable is £2,400.00.",
    "This offer stands until 5 April 2025.",
]


def lines_of(texts: list[str], x: float = 50, top: float = 60) -> list[pdf_builder.Text]:
    return [pdf_builder.Text(x, top + 16 * number, text) for number, text in enumerate(texts)]


def read(*texts: pdf_builder.Text) -> Extraction:
    return read_document(pdf_builder.pdf(list(texts)), "letter.pdf")


def test_a_letter_says_its_lines_and_sums_in_sentences() -> None:
    extraction = read(*lines_of(LETTER))
    assert [(line.quantity, line.unit_price, line.amount) for line in extraction.line_items] == [
        (10, Decimal("12.5"), 1500),
        (1, 500, 500),
    ]
    assert (extraction.net_total, extraction.tax_total, extraction.total) == (2000, 400, 2400)
    assert extraction.valid_until == date(2025, 4, 5)
    assert extraction.document_number == "EX/25/031"


def test_a_payment_slip_is_addressed_to_the_supplier() -> None:
    slip = [
        pdf_builder.Text(50, 700, "To: Paperbark Software Ltd"),
        pdf_builder.Text(300, 700, "Customer: Mundarra Council"),
    ]
    head = [
        pdf_builder.Text(400, 60, "Paperbark Software Ltd"),
        pdf_builder.Text(400, 74, "PO Box 999, Leeds LS1 4AP"),
    ]
    extraction = read(pdf_builder.Text(50, 60, "INVOICE INV-2204"), *head, *slip)
    assert (extraction.supplier, extraction.buyer) == ("Paperbark Software Ltd", "Mundarra Council")


def test_a_sentence_names_both_parties() -> None:
    extraction = read(
        *lines_of(["ORDER FORM OF-90417", "Between Tessellate Inc. and Bayberry Holdings, Inc."])
    )
    assert (extraction.supplier, extraction.buyer) == ("Tessellate Inc.", "Bayberry Holdings, Inc.")


def test_who_created_the_quote_sells() -> None:
    texts = ["Glenmalin Limited - Annual plan", "Quote created by: Ann Lee, Juniper Software Limited"]
    assert read(*lines_of(texts)).supplier == "Juniper Software Limited"


def test_units_in_a_table_are_no_labels() -> None:
    lines = [["Portal", "supplier", "140", "480.00", "67,200.00"], ["Seats", "project", "1", "7.00", "7.00"]]
    content = pdf_builder.quote(["Product", "Unit", "Qty", "Price", "Amount"], lines, [])
    assert read_document(content, "quote.pdf").supplier == "Example Software Ltd"


def test_codes_of_fields_are_no_document_number() -> None:
    texts = ["Invoice (875) No. 210111", "Contract: BT-12", "Order: BT-13", "Reference: BT-10"]
    assert read(*lines_of(texts)).document_number == "210111"


def test_the_number_of_another_document_is_not_its_own() -> None:
    texts = ["Credit note No. GS-2026-0012", "relates to invoice RE-2025-1877"]
    assert read(*lines_of(texts)).document_number == "GS-2026-0012"


@pytest.mark.parametrize("words", ["Invoice date / delivery date", "Rechnungsdatum / Lieferdatum"])
def test_a_date_for_two_roles_is_that_of_the_document(words: str) -> None:
    assert role_of_date(fold(words)) == "document"


@pytest.mark.parametrize("words", ["Sold by", "Verkauft von", "Vendu par", "Verkocht door"])
def test_words_before_the_seller_are_not_part_of_its_name(words: str) -> None:
    texts = ["Invoice", "Paid", f"{words} Example Trading Ltd", "VAT no. GB000000000"]
    assert read(*lines_of(texts)).supplier == "Example Trading Ltd"


def test_a_clerk_behind_seller_is_no_supplier() -> None:
    texts = [
        "Example Logiciels SRL",
        "Quai du Perron 9, 4999 Ourthenne",
        "Devis S00654",
        "Vendeur: Anne Duval",
    ]
    assert read(*lines_of(texts)).supplier == "Example Logiciels SRL"


def test_a_price_list_is_valid_until_the_second_of_two_days() -> None:
    above = ["Beispiel GmbH", "Preisliste", "Gültig vom 1. Januar 2026 bis 30. Juni 2026"]
    lines = [["Editor", "42,00"], ["Leser", "9,00"]]
    extraction = read_document(pdf_builder.quote(["Produkt", "Preis"], lines, [], above=above), "prices.pdf")
    assert (extraction.document_date, extraction.valid_until) == (date(2026, 1, 1), date(2026, 6, 30))


def test_the_end_of_a_name_says_nothing_of_the_date_beside_it() -> None:
    texts = [
        pdf_builder.Text(50, 60, "Exemple Logiciels inc.", 12),
        *(
            pdf_builder.Text(50, y, one)
            for y, one in ((100, "Facturé à"), (114, "Coopérative du"), (128, "Saguenay"))
        ),
        *(pdf_builder.Text(300, y, one) for y, one in ((100, "Date d'émission"), (114, "2026-02-02"))),
        *(pdf_builder.Text(300, y, one) for y, one in ((142, "Date d'échéance"), (156, "2026-03-04"))),
    ]
    extraction = read(*texts)
    assert (extraction.document_date, extraction.start_date) == (date(2026, 2, 2), None)
    assert str(extraction.buyer).startswith("Coopérative")


def test_the_address_below_the_supplier_names_no_buyer() -> None:
    own = ["Pépinières Exemple SARL", "Domaine de la Rive", "11999 Orbieu-le-Val", "Siret 000 000 000 00000"]
    buyer = ["Mairie de Sainte-Aurence", "Place de la République", "11998 Sainte-Aurence"]
    extraction = read(
        *lines_of(own), *lines_of(buyer, x=320, top=140), pdf_builder.Text(320, 118, "FACTURE", 14)
    )
    assert extraction.buyer == "Mairie de Sainte-Aurence"


def test_prices_hold_from_the_day_of_a_price_list_until_its_end() -> None:
    above = ["Example Software Ltd", "Price list", "Effective April 1, 2026 through December 31, 2026."]
    lines = [["Editor seats", "$42.00"], ["Viewer seats", "$9.00"]]
    extraction = read_document(pdf_builder.quote(["Product", "Price"], lines, [], above=above), "prices.pdf")
    assert (extraction.document_date, extraction.valid_until) == (date(2026, 4, 1), date(2026, 12, 31))
    assert (extraction.start_date, extraction.end_date, extraction.term_months) == (None, None, None)


@pytest.mark.parametrize(
    "words",
    ["Open for acceptance until", "Pricing firm until", "Reply by", "An dieses Angebot halten wir uns bis",
     "Prix fermes jusqu’au", "Reageren vóór", "Rückmeldung bis"],
)  # fmt: skip
def test_many_words_say_until_when_an_offer_holds(words: str) -> None:
    assert role_of_date(fold(words)) == "valid"


@pytest.mark.parametrize(
    ("said", "clauses"),
    [
        ("The agreement rolls over unless one of us says otherwise at least two months before.",
         Clauses(auto_renew=True, notice_days=60)),
        ("Auto-renewal is switched off for all subscriptions.", Clauses(auto_renew=False)),
        ("The services are not eligible for auto-renewal.", Clauses(auto_renew=False)),
        ("Unit prices rise by 4% in Year 2.", Clauses()),
        ("After the initial term this agreement renews for periods of twelve (12) months.",
         Clauses(auto_renew=True)),
        ("Na afloop van de looptijd wordt de overeenkomst telkens met 12 maanden verlengd.",
         Clauses(auto_renew=True)),
        ("Bitte überweisen Sie den Rechnungsbetrag innerhalb von 14 Tagen.", Clauses(payment_terms_days=14)),
        ("Term (months): 12", Clauses(term_months=12)),
        ("Invoiced monthly in arrears on 14 day terms.", Clauses(payment_terms_days=14, billing="monthly")),
        ("It renews unless you tell us so at least 60 days before the End Date.", Clauses(notice_days=60)),
        ("The renewal may be disabled up to 7 days before the term ends.", Clauses(notice_days=7)),
        ("List prices may be changed with 30 days notice.", Clauses()),
        ("Renewal rates shall not be more than 8% above the current rates.",
         Clauses(renewal_uplift_percent=Decimal(8), renewal_uplift_is_cap=True)),
        ("La actualización de precios en cada renovación no superará el 3 %.",
         Clauses(renewal_uplift_percent=Decimal(3), renewal_uplift_is_cap=True)),
        ("Opzegtermijn 60 dagen.", Clauses(notice_days=60)),
        ("Zahlungsfrist: 30 Tage netto", Clauses(payment_terms_days=30)),
        ("Licencias de suscripción anual (12 meses).", Clauses(term_months=12)),
        ("The renewal covers 12 months.", Clauses(term_months=12)),
        ("Abonnementen worden na 12 maanden stilzwijgend verlengd.",
         Clauses(term_months=12, auto_renew=True)),
        ("Die Gebühren werden jährlich im Voraus berechnet.", Clauses(billing="annual")),
    ],
)  # fmt: skip
def test_clauses_are_put_in_many_words(said: str, clauses: Clauses) -> None:
    assert read_clauses(type_sentences(said)) == clauses


def test_a_word_names_the_dollar_where_no_sign_does() -> None:
    assert find_document_currency(["Price (dollar amount)", "98.74"], home_currency=None).sign == "$"
    assert find_document_currency(["RS-01 Editor 39.00", "Prices in euros"], home_currency=None).code == "EUR"


def test_whom_a_mail_greets_is_no_buyer() -> None:
    text = "Tilbud nr. 7\n\nKære Lars\n\nVinduer   2   1.900,00   3.800,00\n\nKlartSyn ApS\nCVR 38441207\n"
    assert read_document(text.encode(), "tilbud.txt").buyer is None
