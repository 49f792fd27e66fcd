"""Dates as they are printed, and what each of them is about."""

from datetime import date

import pytest

from app.service.documents.fields.document_dates import role_of_date
from app.service.documents.reading import read_document
from app.service.values.folding import fold
from tests.service.documents import pdf_builder


@pytest.mark.parametrize(
    ("words", "role"),
    [
        ("Date du devis", "document"), ("Fecha del presupuesto", "document"), ("Offertdatum", "document"),
        ("Bindefrist bis", "valid"), ("Vervaldatum offerte", "valid"), ("Angebotsgültigkeit", "valid"),
        ("Subscription start date", "start"), ("Lizenzbeginn", "start"), ("Date de début", "start"),
        ("Ende der Laufzeit", "end"), ("Fin du contrat", "end"), ("Delivery date", "other"),
        ("Due date", "due"), ("Tax point", "document"), ("End of term", "end"), ("Valuation date", "other"),
        ("Required date", "other"), ("Delivery until", "other"), ("We will deliver from", "other"),
        ("Delivery period", "other"), ("Payable until", "unclear"),
        ("Please remit the amount until", "unclear"),
        ("Bitte überweisen Sie bis zum", "unclear"),
        ("The offer is for 5 users. Please remit until", "unclear"), ("The contract runs until", "end"),
        ("Term: 3 years, from", "start"),
        ("governed by the Master Agreement dated", "other"), ("under the Agreement dated as of", "other"),
        ("Es gilt der Rahmenvertrag vom", "other"), ("Angebot A-7 vom", "document"),
        ("Sailing on or about", "other"), ("No. & date of contract", "other"),
        ("Votre facture du", None), ("Your invoice of", None), ("Ihr Angebot vom", "other"),
        ("en date du", "document"), ("Confirmation de commande n° C-7 du", "document"),
        ("Zu Rechnung RE-2025-3310 vom", "other"), ("Rectifica a la factura 25-1180 de", "other"),
        ("Livraison impérative avant le", "other"),
        ("Offre à accepter avant le", "valid"), ("Offer to Example & Son,", None),
        ("The contract runs until and including", "end"),
    ],
)  # fmt: skip
def test_the_noun_before_a_date_says_what_it_is_about(words: str, role: str | None) -> None:
    assert role_of_date(fold(words)) == role


def test_the_day_of_the_week_stands_between_a_date_and_its_label() -> None:
    content = pdf_builder.pdf([
        pdf_builder.Text(50, 60, "Quote date:"), pdf_builder.Text(150, 60, "Friday, 27 October 2023"),
        pdf_builder.Text(50, 80, "Expires:"), pdf_builder.Text(150, 80, "Sunday, 26 November 2023"),
    ])  # fmt: skip
    extraction = read_document(content, "quote.pdf")
    assert extraction.document_date == date(2023, 10, 27)
    assert extraction.valid_until == date(2023, 11, 26)


def test_the_day_of_the_contract_that_a_bill_goes_with_is_not_its_own() -> None:
    page = "Contract:,No. 14-P dated 10 February 2025\n\nINVOICE no. 233 dated 18 March 2025\n"
    assert read_document(page.encode(), "bill.csv").document_date == date(2025, 3, 18)


@pytest.mark.parametrize("title", ["OFERTA CENOWA NR 18/02/2026", "Angebot Nr. 18/02/2026"])
def test_a_number_that_looks_like_a_day_is_none(title: str) -> None:
    extraction = read_document(f"Gdynia, 2.02.2026\n\n{title}\n".encode(), "offer.txt")
    assert (extraction.document_number, extraction.document_date) == ("18/02/2026", date(2026, 2, 2))


def test_the_day_beside_the_documents_number_goes_before_that_of_a_version() -> None:
    """Also where the abbreviation of the number looks like the end of a sentence."""
    content = pdf_builder.pdf([
        pdf_builder.Text(50, 60, "Stylesheet-Version:"), pdf_builder.Text(200, 60, "2.5 vom 10.01.2023"),
        pdf_builder.Text(50, 90, "Handelsrechnung (380) Nr. E20180011 vom 20.09.2018"),
        pdf_builder.Text(50, 120, "Gesamtbetrag 119,00 EUR"),
    ])  # fmt: skip
    assert read_document(content, "rechnung.pdf").document_date == date(2018, 9, 20)


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


@pytest.mark.parametrize(
    "lines",
    [
        [
            "Rowan Catering",
            "2 June 2025",
            "Thank you for asking us to quote for your event on 13 September 2025.",
        ],
        ["Devis", "Lyon, le 2 juin 2025", "Les travaux du 13 septembre 2025 sont compris."],
        ["The work from 13 September 2025 on is paid monthly, as this letter says it.", "Leeds, 2 June 2025"],
        ["PEDIDO 1184      2/6/2025", "Entrega: 13/9/2025"],
        ["Completion date: 13 September 2025", "", "Date: 2 June 2025"],
        ["Спецификация", "к договору № 118/24 от 13.09.2025", "г. Волгоград    2 июня 2025 г."],
        [
            "No. & Date of invoice",
            "2026-GLY-4     JUN. 2, 2025",
            "",
            "No. & Date of L/C",
            "M0026   SEP. 13, 2025",
        ],
    ],
)
def test_a_day_alone_goes_before_one_in_a_sentence(lines: list[str]) -> None:
    content = "\n".join(lines).encode()
    assert read_document(content, "letter.txt").document_date == date(2025, 6, 2)


def test_start_and_end_may_share_a_field() -> None:
    texts = ["Order form O-30417", "Start / end", "2025-11-01 / 2027-10-31"]
    content = pdf_builder.pdf(
        [pdf_builder.Text(60, 60 + 14 * number, text) for number, text in enumerate(texts)]
    )
    extraction = read_document(content, "page.pdf")
    assert (extraction.start_date, extraction.end_date) == (date(2025, 11, 1), date(2027, 10, 31))


@pytest.mark.parametrize(("last", "is_end"), [("31 August 2027", True), ("30 September 2025", False)])
def test_a_last_day_far_behind_the_start_ends_the_term(last: str, is_end: bool) -> None:
    text = f"Call-Off Form\nCall-Off Start Date: 1 September 2025\nCall-Off Expiry Date: {last}\n"
    read = read_document(text.encode(), "form.txt")
    assert read.start_date == date(2025, 9, 1)
    assert (read.end_date is not None, read.valid_until is not None) == (is_end, not is_end)


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
    extraction = read_document(content, "offerte.pdf")
    assert extraction.valid_until == date(2026, 4, 16)
    assert not extraction.provenance["valid_until"].verified  # a pro forma falls due as a bill does


@pytest.mark.parametrize(
    "line",
    ["Please remit until 31 August 2026", "Bitte überweisen Sie den Betrag bis zum 31. August 2026.",
     "Veuillez régler la facture jusqu’au 31 août 2026.", "Until 31 August 2026 without deduction",
     "Delivery until 31 August 2026",
     "We will deliver from 1 August 2026 to 31 August 2026", "Estimated delivery: 1 – 31 August 2026",
     "A discount of 10 % applies until 31 August 2026", "Delivery period: 1 August 2026 to 31 August 2026"],
)  # fmt: skip
def test_a_day_until_which_something_is_to_be_done_ends_no_contract(line: str) -> None:
    texts = ["Invoice 77", "Invoice date: 3 July 2026", line]
    content = pdf_builder.pdf(
        [pdf_builder.Text(60, 60 + 40 * number, text) for number, text in enumerate(texts)]
    )
    extraction = read_document(content, "invoice.pdf")
    assert (extraction.start_date, extraction.end_date, extraction.valid_until) == (None, None, None)
    assert extraction.document_date == date(2026, 7, 3)


@pytest.mark.parametrize(
    ("line", "start", "verified"),
    [("Billing period: 1 – 31 July 2026", date(2026, 7, 1), True),
     ("Services from 1 July 2026 until 31 July 2026", date(2026, 7, 1), True),
     ("The subscription begins on 1 July 2026 and runs until 31 July 2026.", date(2026, 7, 1), True),
     ("Our office is closed from 1 July 2026 to 31 July 2026.", date(2026, 7, 1), False),
     ("Support engineers 1 July 2026 – 31 July 2026", date(2026, 7, 1), False)],
)  # fmt: skip
def test_the_days_of_a_term_are_certain_where_words_name_it(
    line: str, start: date, *, verified: bool
) -> None:
    texts = ["Invoice 77", "Invoice date: 3 June 2026", line]
    content = pdf_builder.pdf(
        [pdf_builder.Text(60, 60 + 40 * number, text) for number, text in enumerate(texts)]
    )
    extraction = read_document(content, "invoice.pdf")
    assert (extraction.start_date, extraction.end_date) == (start, date(2026, 7, 31))
    assert extraction.provenance["start_date"].verified == verified
    assert extraction.provenance["end_date"].verified == verified


@pytest.mark.parametrize(
    "line", ["Data 7 agosto 2025", "Fecha de emisión: 7 de agosto de 2025", "Delivery: 7 August 2025"]
)
def test_a_day_that_a_label_gives_to_something_else_is_no_last_day(line: str) -> None:
    texts = ["Quotation 77", line, "Total USD 100.00"]
    content = pdf_builder.pdf(
        [pdf_builder.Text(60, 60 + 40 * number, text) for number, text in enumerate(texts)]
    )
    assert read_document(content, "quote.pdf").valid_until is None


@pytest.mark.parametrize(
    ("line", "made"),
    [
        ("Work order no. MT/118 Date: 18/02/2025", date(2025, 2, 18)),
        ("Order no. 118 Date of issue: 18/02/2025", date(2025, 2, 18)),
        ("Your order no. 118 of 18/02/2025", None),
        ("Order no. 118 Delivery date: 18/02/2025", None),
    ],
)
def test_a_label_behind_another_field_is_that_of_its_day(line: str, made: date | None) -> None:
    text = f"Acme Software Ltd, London\n{line}\nSeats   2   50.00   100.00\nTotal   100.00"
    assert read_document(text.encode(), "order.txt").document_date == made


def test_a_signature_is_not_the_day_of_an_agreement() -> None:
    text = (
        "SERVICES AGREEMENT\n\n"
        "This Agreement is entered into as of September 15, 2024 by and between Acme Ltd and Bolt Ltd.\n\n"
        "Name: E. Marsh\nDate: 12 September 2024\n"
    )
    assert read_document(text.encode(), "agreement.txt").document_date == date(2024, 9, 15)


@pytest.mark.parametrize(
    ("label", "made"),
    [
        ("Ordredato", date(2025, 5, 12)),
        ("Dato", date(2025, 5, 12)),
        ("Bestilt", date(2025, 5, 12)),
        ("Dokument", date(2025, 5, 12)),
    ],
)
def test_an_abbreviation_before_the_word_for_a_day_may_be_of_another_thing(label: str, made: date) -> None:
    text = f"Fjell AS\nORDREBEKREFTELSE\nOrdrenr.: 60418\n{label}: 12.05.2025\nLev.dato: 26.05.2025\n"
    read = read_document(text.encode(), "order.txt")
    assert read.document_date == made
    alone = read_document(text.replace(f"{label}: 12.05.2025\n", "").encode(), "order.txt")
    assert not (place := alone.provenance.get("document_date")) or not place.verified


@pytest.mark.parametrize(
    ("said", "last"),
    [
        ("This quotation is valid for 3 months.", date(2025, 6, 10)),
        ("This quotation is valid for 90 days.", date(2025, 6, 8)),
        ("Devis valable 3 mois.", date(2025, 6, 10)),
    ],
)
def test_an_offer_holds_for_months_of_the_calendar(said: str, last: date) -> None:
    text = (
        f"QUOTATION D-2025-112\nDate: 10 March 2025\n\nPump   2   50.00   100.00\nTotal   100.00\n\n{said}\n"
    )
    assert read_document(text.encode(), "quote.txt").valid_until == last


def test_an_order_has_its_own_day_and_not_that_of_its_print() -> None:
    text = "RUN DATE 08/19/25\nPURCHASE ORDER\nP.O. NUMBER: 4711-0\nP.O. DATE: 08/18/25\nREQ DATE: 08/11/25\n"
    assert read_document(text.encode(), "order.txt").document_date == date(2025, 8, 18)


@pytest.mark.parametrize(
    "period",
    ["từ ngày 21/04/2025 đến 21/05/2025", "od 21.04.2025 do 21.05.2025", "2025-04-21 till 2025-05-21"],
)
def test_the_days_of_a_period_are_parted_by_words_of_many_languages(period: str) -> None:
    read = read_document(f"Invoice 7711\n({period})\nInvoice date: 22 May 2025\n".encode(), "a.txt")
    assert (read.document_date, read.end_date) == (date(2025, 5, 22), date(2025, 5, 21))


@pytest.mark.parametrize(
    ("line", "last"),
    [
        ("Price list valid from 1 May 2025", None),
        ("Listino valido dal 1 maggio 2025", None),
        ("Prices valid from 1 May 2025 to 30 June 2025", date(2025, 6, 30)),
        ("Angebot gültig vom 01.05.2025 bis 30.06.2025", date(2025, 6, 30)),
        ("Offer valid: 1 May 2025", date(2025, 5, 1)),
    ],
)
def test_the_first_day_of_validity_is_not_the_last(line: str, last: date | None) -> None:
    read = read_document(
        f"Acme Labels BV\n{line}\nLabel   2   50.00   100.00\nTotal   100.00".encode(), "a.txt"
    )
    assert read.valid_until == last
    made = read.provenance.get("document_date")
    assert made is None or not made.verified


@pytest.mark.parametrize(("until", "ends"), [("31 March 2026", date(2026, 3, 31)), ("17 October 2025", None)])
def test_what_is_valid_for_whole_months_from_its_start_is_a_term(until: str, ends: date | None) -> None:
    text = f"Order form\nStart date: 1 October 2025\nExpiry: {until}\nLabels   2   50.00   100.00\n"
    read = read_document(text.encode(), "a.txt")
    assert (read.end_date, read.valid_until is None) == (ends, ends is not None)


def test_from_when_prices_are_valid_is_not_surely_the_day_of_their_list() -> None:
    text = "Acme Labels BV\nPrice list\nPrices from 1 May 2025\nItem   Price\nLabel   0.50\nTag   0.70\n"
    read = read_document(text.encode(), "a.txt")
    place = read.provenance.get("document_date")
    assert place is None or not place.verified


@pytest.mark.parametrize(
    "line",
    ["Ponuka platí do 31. 10. 2025.", "Platnost nabídky: 31. 10. 2025", "hiệu lực đến hết ngày 31/10/2025"],
)
def test_an_offer_holds_until_a_day_in_many_languages(line: str) -> None:
    read = read_document(f"Nabídka\nFirma s.r.o.\n{line}\n".encode(), "a.txt")
    assert read.valid_until == date(2025, 10, 31)


def test_no_offer_ends_on_its_own_day() -> None:
    read = read_document("Anders Måleri AB\nOffert nr 25\nGäller fr.o.m. 2025-09-01\n".encode(), "a.txt")
    assert (read.document_date, read.valid_until) == (date(2025, 9, 1), None)


def test_the_days_between_which_work_is_done_are_not_that_of_the_document() -> None:
    text = "CONTRAT\nFormation entre le 3 et le 21 novembre 2025.\nFait à Lyon, le 29 septembre 2025."
    assert read_document(text.encode(), "a.txt").document_date == date(2025, 9, 29)
