"""Dates as they are printed, and what each of them is about."""

from datetime import date

import pytest

from app.service.documents.fields.document_dates import role_of_date
from app.service.documents.reading import read_document
from app.service.documents.values.folding import fold
from tests.service.documents import pdf_builder


@pytest.mark.parametrize(
    ("words", "role"),
    [
        ("Date du devis", "document"), ("Fecha del presupuesto", "document"), ("Offertdatum", "document"),
        ("Bindefrist bis", "valid"), ("Vervaldatum offerte", "valid"), ("Angebotsgültigkeit", "valid"),
        ("Subscription start date", "start"), ("Lizenzbeginn", "start"), ("Date de début", "start"),
        ("Ende der Laufzeit", "end"), ("Fin du contrat", "end"), ("Delivery date", "other"),
        ("Due date", "due"), ("Tax point", "document"), ("End of term", "end"), ("Valuation date", "other"),
        ("Required date", "other"),
        ("en date du", "document"), ("Confirmation de commande n° C-7 du", "document"),
    ],
)  # fmt: skip
def test_the_noun_before_a_date_says_what_it_is_about(words: str, role: str) -> None:
    assert role_of_date(fold(words)) == role


def test_the_day_of_the_week_stands_between_a_date_and_its_label() -> None:
    content = pdf_builder.pdf([
        pdf_builder.Text(50, 60, "Quote date:"), pdf_builder.Text(150, 60, "Friday, 27 October 2023"),
        pdf_builder.Text(50, 80, "Expires:"), pdf_builder.Text(150, 80, "Sunday, 26 November 2023"),
    ])  # fmt: skip
    extraction = read_document(content, "quote.pdf")
    assert extraction.document_date == date(2023, 10, 27)
    assert extraction.valid_until == date(2023, 11, 26)


def test_the_dates_of_work_done_are_not_the_day_of_the_bill() -> None:
    texts = [pdf_builder.Text(60, 60, "Statement"), pdf_builder.Text(60, 90, "March 4, 2026")]
    rows = [("Date", "Work", "Hours"), ("02/02/2026", "Telephone", "0.40"), ("02/17/2026", "Review", "1.80")]
    for number, row in enumerate(rows):
        texts += [pdf_builder.Text(60 + 120 * at, 140 + 16 * number, text) for at, text in enumerate(row)]
    assert read_document(pdf_builder.pdf(texts), "bill.pdf").document_date == date(2026, 3, 4)


@pytest.mark.parametrize(
    ("fields", "made"),
    [
        ([("Bestellnummer/Datum", "4500918827 / 12.05.2025"), ("Nummer/Datum", "70034412 / 14.05.2025")],
         date(2025, 5, 14)),
        ([("Ihr Angebot", "A-44190 vom 26.06.2025"), ("Bestelldatum", "30.06.2025")], date(2025, 6, 30)),
        ([("Issued", "1 November 2025"), ("Payment", "Direct Debit on 15 November 2025")], date(2025, 11, 1)),
    ],
)  # fmt: skip
def test_the_dates_of_what_others_wrote_or_of_paying_are_not_the_documents(
    fields: list[tuple[str, str]], made: date
) -> None:
    texts = [
        pdf_builder.Text(x, 60 + 20 * number, text)
        for number, field in enumerate(fields)
        for x, text in zip((60, 220), field, strict=True)
    ]
    assert read_document(pdf_builder.pdf(texts), "page.pdf").document_date == made


@pytest.mark.parametrize(
    ("lines", "made", "valid"),
    [
        (["Devis", "n° D2025-0642", "du 18 juin 2025", "valable jusqu’au 18 juillet 2025"],
         date(2025, 6, 18), date(2025, 7, 18)),
        (["Quotation Q-1187", "Date: 11 February 2026", "Valid for 30 days, until 13 March 2026"],
         date(2026, 2, 11), date(2026, 3, 13)),
    ],
)  # fmt: skip
def test_a_date_below_the_number_is_the_documents(lines: list[str], made: date, valid: date) -> None:
    texts = [pdf_builder.Text(60, 60 + 14 * number, text) for number, text in enumerate(lines)]
    extraction = read_document(pdf_builder.pdf(texts), "page.pdf")
    assert (extraction.document_date, extraction.valid_until) == (made, valid)


def test_start_and_end_may_share_a_field() -> None:
    texts = ["Order form O-30417", "Start / end", "2025-11-01 / 2027-10-31"]
    content = pdf_builder.pdf(
        [pdf_builder.Text(60, 60 + 14 * number, text) for number, text in enumerate(texts)]
    )
    extraction = read_document(content, "page.pdf")
    assert (extraction.start_date, extraction.end_date) == (date(2025, 11, 1), date(2027, 10, 31))


def test_a_term_ends_with_its_last_year() -> None:
    years = [(1, "1 September 2025 to 31 August 2026"), (2, "1 September 2026 to 31 August 2027")]
    texts = [
        "Order Form",
        "Commencement: 1 September 2025",
        *(f"Contract year {n} ({on})" for n, on in years),
    ]
    content = pdf_builder.pdf(
        [pdf_builder.Text(60, 60 + 40 * number, text) for number, text in enumerate(texts)]
    )
    assert read_document(content, "order.pdf").end_date == date(2027, 8, 31)


def test_an_offer_falls_due_when_it_ceases_to_hold() -> None:
    texts = ["Offerte 2026-17", "Offertedatum: 17 maart 2026", "Vervaldatum: 16 april 2026"]
    content = pdf_builder.pdf(
        [pdf_builder.Text(60, 60 + 40 * number, text) for number, text in enumerate(texts)]
    )
    assert read_document(content, "offerte.pdf").valid_until == date(2026, 4, 16)
