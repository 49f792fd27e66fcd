"""Italian quotes, offers and invoices."""

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from app.service.documents.extraction import Extraction
from app.service.documents.fields.clauses import read_clauses
from app.service.documents.reading import read_document
from app.service.documents.values.dates import find_dates
from tests.service.documents import pdf_builder
from tests.service.documents.lexicon.quotes import Quote
from tests.service.documents.typewriter import type_sentences

QUOTE = Quote(
    head=(
        "Officina Digitale S.r.l.",
        "Via Garibaldi 12, 20121 Milano - Partita IVA 01234567890",
        "Preventivo n. 2026/0145 del 12 gennaio 2026",
        "Spett.le Conserve Adriatiche S.p.A.",
        "Validità offerta: 30 giorni",
    ),
    header=("Descrizione", "Quantità", "Prezzo unitario", "Importo"),
    lines=(
        ("Licenza gestione documenti", "25", "48,00", "1.200,00"),
        ("Assistenza telefonica", "12", "95,50", "1.146,00"),
        ("Formazione in sede", "2", "650,00", "1.300,00"),
    ),
    sums=(("Totale imponibile", "3.646,00 €"), ("IVA 22%", "802,12 €"), ("Totale", "4.448,12 €")),
    text=(
        "Pagamento a 60 giorni data fattura, bonifico bancario.",
        "Il contratto ha una durata di 24 mesi. Fatturazione annuale.",
        "Alla scadenza il contratto si rinnova tacitamente per periodi di 12 mesi,",
        "salvo disdetta con preavviso di 90 giorni prima della scadenza.",
        "Al rinnovo l'aumento dei prezzi non potrà superare il 3,5%.",
    ),
)


def assert_read(extraction: Extraction) -> None:
    assert (extraction.language, extraction.kind) == ("it", "quote")
    assert extraction.document_number == "2026/0145"
    assert extraction.document_date == date(2026, 1, 12)
    assert extraction.valid_until == date(2026, 2, 11)
    assert (extraction.supplier, extraction.buyer) == (
        "Officina Digitale S.r.l.",
        "Conserve Adriatiche S.p.A.",
    )
    assert extraction.currency == "EUR"
    lines = [(one.description, one.quantity, one.unit_price, one.amount) for one in extraction.line_items]
    assert lines == [
        ("Licenza gestione documenti", 25, 48, 1200),
        ("Assistenza telefonica", 12, Decimal("95.5"), 1146),
        ("Formazione in sede", 2, 650, 1300),
    ]
    assert (extraction.net_total, extraction.tax_total, extraction.total) == (
        3646,
        Decimal("802.12"),
        Decimal("4448.12"),
    )
    assert extraction.payment_terms_days == 60
    assert (extraction.term_months, extraction.billing) == (24, "annual")
    assert (extraction.auto_renew, extraction.notice_days) == (True, 90)
    assert extraction.renewal_uplift_percent == Decimal("3.5")
    assert extraction.renewal_uplift_is_cap is True


def test_a_quote_of_one_page_is_read() -> None:
    assert_read(QUOTE.read_pdf())


def test_a_text_document_is_read_alike() -> None:
    assert_read(QUOTE.read_text_document())


def test_an_offer_with_labels_and_a_last_day_is_read() -> None:
    offer = replace(
        QUOTE,
        head=(
            "Fornitore: Vetreria Lagunare S.p.A.",
            "OFFERTA N. 77-2026",
            "Data: 3 marzo 2026",
            "Cliente: Albergo Tre Pini S.a.s.",
            "Offerta valida fino al 30 aprile 2026",
        ),
        text=(
            "Durata: dal 1 maggio 2026 al 30 aprile 2027.",
            "Condizioni di pagamento: 30 gg d.f.f.m.",
            "È escluso il tacito rinnovo.",
        ),
    )
    extraction = offer.read_pdf()
    assert (extraction.supplier, extraction.buyer) == ("Vetreria Lagunare S.p.A.", "Albergo Tre Pini S.a.s.")
    assert (extraction.kind, extraction.document_number) == ("quote", "77-2026")
    assert (extraction.document_date, extraction.valid_until) == (date(2026, 3, 3), date(2026, 4, 30))
    assert (extraction.start_date, extraction.end_date) == (date(2026, 5, 1), date(2027, 4, 30))
    assert extraction.term_months == 12
    assert (extraction.payment_terms_days, extraction.auto_renew) == (30, False)


def test_an_invoice_is_read() -> None:
    content = pdf_builder.quote(
        ["Descrizione", "Q.tà", "Prezzo", "Totale"],
        [["Canone mensile", "3", "120,00", "360,00"], ["Trasporto urgente", "1", "40,00", "40,00"]],
        [("Imponibile", "400,00"), ("IVA 22%", "88,00"), ("Netto a pagare", "488,00")],
        above=("Officina Digitale S.r.l.", "Fattura n. 311/A", "Data fattura: 31/01/2026", "Importi in euro"),
    )
    extraction = read_document(content, "fattura.pdf")
    assert (extraction.kind, extraction.document_number) == ("invoice", "311/A")
    assert extraction.document_date == date(2026, 1, 31)
    assert (extraction.net_total, extraction.tax_total, extraction.total) == (400, 88, 488)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Milano, lì 12 gennaio 2026", date(2026, 1, 12)),
        ("1° febbraio 2026", date(2026, 2, 1)),
        ("30 sett. 2025", date(2025, 9, 30)),
        ("dal 1 al 31 dicembre 2026", date(2026, 12, 1)),
    ],
)
def test_dates_are_read(text: str, value: date) -> None:
    assert find_dates(text)[0].value == value


@pytest.mark.parametrize(
    ("sentence", "name", "value"),
    [
        ("Pagamento: 30 giorni data fattura fine mese", "payment_terms_days", 30),
        ("Bonifico bancario a 60 gg dalla fattura", "payment_terms_days", 60),
        ("Pagamento a vista fattura", "payment_terms_days", 0),
        ("La durata del contratto è di trentasei mesi.", "term_months", 36),
        ("Abbonamento per un periodo iniziale di 12 mesi", "term_months", 12),
        ("Rinnovo automatico: no", "auto_renew", False),
        ("Il contratto non si rinnova automaticamente.", "auto_renew", False),
        ("Il contratto si intende tacitamente rinnovato di anno in anno.", "auto_renew", True),
        ("La disdetta va inviata almeno 60 giorni prima della scadenza del rinnovo.", "notice_days", 60),
        ("Fatturazione trimestrale anticipata", "billing", "quarterly"),
        ("Pagamento in un'unica soluzione", "billing", "upfront"),
        ("La presente offerta è valida per 45 giorni.", "validity_days", 45),
        ("Al rinnovo i canoni aumentano del 4%.", "renewal_uplift_percent", 4),
    ],
)
def test_clauses_are_read(sentence: str, name: str, value: object) -> None:
    assert getattr(read_clauses(type_sentences(sentence)), name) == value
