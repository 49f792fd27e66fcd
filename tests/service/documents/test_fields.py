"""Totals, dates, parties and clauses."""

from datetime import date
from decimal import Decimal

import pytest

from app.service.documents.clauses import Clauses, read_clauses
from app.service.documents.dates import day_order, find_dates, plain
from app.service.documents.extraction import Extraction
from app.service.documents.money import document_currency, find_figures
from app.service.documents.numbers import DecimalMark, decimal_mark, parse_number
from app.service.documents.occasions import occasion_of
from app.service.documents.reader import read_document
from tests.service.documents import paper

HEADER = ["Description", "Qty", "Unit price", "Amount"]
LINE = ["Editor seats", "10", "150.00", "1,500.00"]


def quoted(
    sums: list[tuple[str, str]], above: list[str] | None = None, below: list[str] | None = None
) -> Extraction:
    heads = above or ["Example Software Ltd", "QUOTE Q-1001", "Date: 4 March 2025"]
    return read_document(paper.quote(HEADER, [LINE], sums, above=heads, below=below or []), "quote.pdf")


@pytest.mark.parametrize(
    ("printed", "mark", "value"),
    [
        ("1,234.56", ".", "1234.56"),
        ("1.234,56", ",", "1234.56"),
        ("1 234,56", ",", "1234.56"),
        ("1'234.56", ".", "1234.56"),
        ("1,234", ".", "1234"),
        ("1.234", ",", "1234"),
        ("1.234", ".", "1.234"),
        ("12,5", ",", "12.5"),
        ("1,23,456.00", ".", "123456"),
        ("0.125", None, "0.125"),
    ],
)
def test_numbers_are_read_as_their_country_prints_them(
    printed: str, mark: DecimalMark | None, value: str
) -> None:
    assert parse_number(printed, mark) == Decimal(value)


def test_the_numbers_of_a_document_agree_on_their_decimal_mark() -> None:
    assert decimal_mark(["1.045 users", "12,50", "1.000,00"]) == ","
    assert decimal_mark(["1,045 users", "12.50"]) == "."
    assert decimal_mark(["7 of 9"]) is None


@pytest.mark.parametrize("text", ["Q-916612-3", "SW1A 2AA", "24x7 support", "INV/2023/0008"])
def test_digits_inside_of_codes_are_no_figures(text: str) -> None:
    assert [figure.value for figure in find_figures(text, ".") if figure.value not in (2, 1)] == []


@pytest.mark.parametrize(
    ("text", "order", "value"),
    [
        ("4 March 2025", "day first", date(2025, 3, 4)),
        ("March 4, 2025", "day first", date(2025, 3, 4)),
        ("03/04/2025", "day first", date(2025, 4, 3)),
        ("03/04/2025, net 30", "month first", date(2025, 3, 4)),
        ("2025-03-04", "day first", date(2025, 3, 4)),
        ("4. März 2025", "day first", date(2025, 3, 4)),
        ("4 de marzo de 2025", "day first", date(2025, 3, 4)),
        ("4 août 2025", "day first", date(2025, 8, 4)),
        ("04-Mar-25", "day first", date(2025, 3, 4)),
    ],
)
def test_dates_are_read_as_their_country_prints_them(text: str, order: str, value: date) -> None:
    chosen = "month first" if order == "month first" else "day first"
    assert [one.value for one in find_dates(text, chosen)] == [value]


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("1 March - 31 March 2025", [(3, 1), (3, 31)]),
        ("Service period: Mar 1 - Mar 31, 2025", [(3, 1), (3, 31)]),
        ("1. März bis 31. August 2025", [(3, 1), (8, 31)]),
        ("01.03.-31.03.2025", [(3, 1), (3, 31)]),
        ("1.-31. März 2025", [(3, 1), (3, 31)]),
        ("du 1er mars au 31 août 2025", [(3, 1), (8, 31)]),
        ("from 1 to 31 March 2025", [(3, 1), (3, 31)]),
        ("01.03.2025-31.03.2025", [(3, 1), (3, 31)]),
        ("Quantity 4 - 31 March 2025", [(3, 31)]),
    ],
)
def test_the_first_day_of_a_range_takes_what_it_leaves_out_from_the_last(
    text: str, days: list[tuple[int, int]]
) -> None:
    assert [(one.value.month, one.value.day) for one in find_dates(text)] == days
    assert all(one.value.year == 2025 for one in find_dates(text))


@pytest.mark.parametrize(
    ("words", "occasion"),
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
def test_the_noun_before_a_date_says_what_it_is_about(words: str, occasion: str) -> None:
    assert occasion_of(plain(words)) == occasion


def test_the_day_of_the_week_stands_between_a_date_and_its_label() -> None:
    content = paper.pdf([
        paper.Text(50, 60, "Quote date:"), paper.Text(150, 60, "Friday, 27 October 2023"),
        paper.Text(50, 80, "Expires:"), paper.Text(150, 80, "Sunday, 26 November 2023"),
    ])  # fmt: skip
    extraction = read_document(content, "quote.pdf")
    assert extraction.document_date == date(2023, 10, 27)
    assert extraction.valid_until == date(2023, 11, 26)


def test_one_date_that_allows_a_single_reading_decides_for_all() -> None:
    assert day_order(["03/04/2025", "25/04/2025"], american=True) == "day first"
    assert day_order(["03/04/2025", "04/25/2025"], american=False) == "month first"
    assert day_order(["03/04/2025"], american=True) == "month first"


@pytest.mark.parametrize(
    ("sums", "net", "tax", "total"),
    [
        ([("Subtotal", "$1,500.00"), ("Tax", "$150.00"), ("Total", "$1,650.00")], 1500, 150, 1650),
        ([("Net total", "1,500.00"), ("VAT 20%", "300.00"), ("Total Gross Amount", "1,800.00")],
         1500, 300, 1800),
        ([("Total excl. VAT", "1,500.00"), ("VAT", "300.00"), ("Total incl. VAT", "1,800.00")],
         1500, 300, 1800),
        ([("Total", "$1,500.00")], 1500, None, 1500),
        ([("Total", "$1,500.00"), ("Paid", "$500.00"), ("Balance due", "$1,000.00")], 1500, None, 1500),
        (
            [("Subtotal", "1,500.00"), ("Discount 10%", "-150.00"), ("VAT", "270.00"), ("Total", "1,620.00")],
            1350, 270, 1620,
        ),
        ([("Gesamttotal exkl. MWST", "1'500.00"), ("MWST 8 %", "120.00"), ("Gesamttotal", "1'620.00")],
         1500, 120, 1620),
        ([("Goods value", "1,500.00"), ("Freight", "95.00"), ("VAT 0 %", "0.00"), ("To pay", "1,595.00")],
         1595, 0, 1595),
        ([("Gross value", "1,500.00"), ("Less retention 5%", "-75.00"), ("Total", "1,425.00")],
         1425, None, 1425),
        ([("Total, avant taxes", "1 500,00 $")], 1500, None, 1500),
        ([("Subtotal", "1,500.00"), ("One-time discount", "-100.00"), ("Total (before GST)", "1,400.00")],
         1400, None, 1400),
        ([("Total HT", "1 500,00"), ("TVA 5,5 %", "27,50"), ("TVA 20 %", "200,00"),
          ("Montant TTC", "1 727,50")], 1500, Decimal("227.5"), Decimal("1727.5")),
        ([("CGST 9%", "135.00"), ("SGST 9%", "135.00"), ("Total", "1,770.00"), ("Total", "270.00")],
         1500, 270, 1770),
    ],
)  # fmt: skip
def test_sums_are_told_apart_by_their_words_and_by_adding_up(
    sums: list[tuple[str, str]], net: int, tax: Decimal | int | None, total: Decimal | int
) -> None:
    extraction = quoted(sums)
    assert (extraction.net_total, extraction.tax_total, extraction.total) == (net, tax, total)


def test_a_strip_of_sums_has_each_below_its_label() -> None:
    strip = [("BASE", 50, 80), ("TOTAL IVA", 200, 260), ("TOTAL EUROS", 340, 420)]
    values = ["1.370,30", "91,25", "1.461,55"]
    content = paper.pdf([
        *(paper.Text(x, 400, label, size=8) for label, x, _ in strip),
        *(paper.Text(x, 414, value, size=8) for (_, _, x), value in zip(strip, values, strict=True)),
    ])  # fmt: skip
    extraction = read_document(content, "factura.pdf")
    assert [str(sum) for sum in (extraction.net_total, extraction.tax_total, extraction.total)] == [
        "1370.30", "91.25", "1461.55",
    ]  # fmt: skip


def test_the_dates_of_work_done_are_not_the_day_of_the_bill() -> None:
    texts = [paper.Text(60, 60, "Statement"), paper.Text(60, 90, "March 4, 2026")]
    rows = [("Date", "Work", "Hours"), ("02/02/2026", "Telephone", "0.40"), ("02/17/2026", "Review", "1.80")]
    for number, row in enumerate(rows):
        texts += [paper.Text(60 + 120 * at, 140 + 16 * number, text) for at, text in enumerate(row)]
    assert read_document(paper.pdf(texts), "bill.pdf").document_date == date(2026, 3, 4)


def test_carriage_among_the_sums_is_part_of_the_total() -> None:
    content = paper.quote(
        ["Description", "Qty", "Unit price", "Amount"],
        [["Workbench", "6", "265.20", "1,591.20"], ["Drawer unit", "6", "193.80", "1,162.80"]],
        [
            ("Goods total", "£2,754.00"),
            ("Carriage", "£75.00"),
            ("Net", "£2,829.00"),
            ("VAT @ 20%", "£565.80"),
            ("Total", "£3,394.80"),
        ],
    )
    extraction = read_document(content, "quote.pdf")
    assert (extraction.net_total, extraction.total) == (2829, Decimal("3394.80"))


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
        paper.Text(x, 60 + 20 * number, text)
        for number, field in enumerate(fields)
        for x, text in zip((60, 220), field, strict=True)
    ]
    assert read_document(paper.pdf(texts), "page.pdf").document_date == made


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
    texts = [paper.Text(60, 60 + 14 * number, text) for number, text in enumerate(lines)]
    extraction = read_document(paper.pdf(texts), "page.pdf")
    assert (extraction.document_date, extraction.valid_until) == (made, valid)


def test_start_and_end_may_share_a_field() -> None:
    texts = ["Order form O-30417", "Start / end", "2025-11-01 / 2027-10-31"]
    content = paper.pdf([paper.Text(60, 60 + 14 * number, text) for number, text in enumerate(texts)])
    extraction = read_document(content, "page.pdf")
    assert (extraction.start_date, extraction.end_date) == (date(2025, 11, 1), date(2027, 10, 31))


def test_a_term_ends_with_its_last_year() -> None:
    years = [(1, "1 September 2025 to 31 August 2026"), (2, "1 September 2026 to 31 August 2027")]
    texts = [
        "Order Form",
        "Commencement: 1 September 2025",
        *(f"Contract year {n} ({on})" for n, on in years),
    ]
    content = paper.pdf([paper.Text(60, 60 + 40 * number, text) for number, text in enumerate(texts)])
    assert read_document(content, "order.pdf").end_date == date(2027, 8, 31)


def test_a_day_may_stand_apart_from_its_letters() -> None:
    printed = "du 1 er février 2026 au 31 janvier 2027, March 2 nd, 2027, 3 rd April 2028"
    days = [date(2026, 2, 1), date(2027, 1, 31), date(2027, 3, 2), date(2028, 4, 3)]
    assert [one.value for one in find_dates(printed)] == days


def test_an_offer_falls_due_when_it_ceases_to_hold() -> None:
    texts = ["Offerte 2026-17", "Offertedatum: 17 maart 2026", "Vervaldatum: 16 april 2026"]
    content = paper.pdf([paper.Text(60, 60 + 40 * number, text) for number, text in enumerate(texts)])
    assert read_document(content, "offerte.pdf").valid_until == date(2026, 4, 16)


def test_a_total_that_adds_up_is_sure_and_one_that_does_not_is_reported() -> None:
    right = quoted([("Subtotal", "1,500.00"), ("VAT", "300.00"), ("Total", "1,800.00")])
    wrong = quoted([("Subtotal", "1,500.00"), ("VAT", "300.00"), ("Total", "1,900.00")])
    assert right.evidence["total"].sure
    assert not wrong.evidence["total"].sure
    assert wrong.warnings


@pytest.mark.parametrize(
    ("texts", "home", "currency"),
    [
        (["Total EUR 100.00"], None, "EUR"),
        (["Total £100.00"], None, "GBP"),
        (["Total $100.00", "All amounts in Australian dollars (AUD)"], None, "AUD"),
        (["Total $100.00"], "CAD", "CAD"),
        (["Total $100.00"], None, "USD"),
        (["Room charge Rm 614", "Balance 0.00 USD"], None, "USD"),
        (["123 Madison Drive", "Total $5.00"], None, "USD"),
        (["Example CAD Network Seat", "Total (USD) $5.00"], None, "USD"),
    ],
)
def test_the_currency_comes_from_codes_words_and_signs(
    texts: list[str], home: str | None, currency: str
) -> None:
    assert document_currency(texts, home=home)[0] == currency


def test_supplier_and_buyer_are_told_apart() -> None:
    above = [
        "Example Software Ltd, 1 Mill Lane, Leeds LS1 1AA",
        "QUOTE Q-1001",
        "Prepared for: Sample Logistics plc",
        "Date: 4 March 2025",
        "Valid until: 3 April 2025",
    ]
    extraction = quoted([("Total", "£1,500.00")], above)
    assert extraction.supplier == "Example Software Ltd"
    assert extraction.buyer == "Sample Logistics plc"
    assert extraction.document_date == date(2025, 3, 4)
    assert extraction.valid_until == date(2025, 4, 3)
    assert extraction.document_number == "Q-1001"
    assert extraction.kind == "quote"


def test_a_product_is_no_customer_and_a_title_no_name() -> None:
    rows = [["Description", "Qty", "Price", "Amount"], ["Customer Success Plan", "1", "5.00", "5.00"]]
    texts = [
        paper.Text(50, 60, "Example Software Ltd", 12),
        paper.Text(50, 90, "Prepared for"), paper.Text(300, 90, "Quote no.: Q-7"),
        paper.Text(50, 104, "Harbour Schools"),
        *paper.table(200, [(50, False), (300, True), (400, True), (500, True)], rows),
    ]  # fmt: skip
    assert read_document(paper.pdf(texts), "quote.pdf").buyer == "Harbour Schools"


def test_the_term_follows_from_start_and_end() -> None:
    extraction = quoted([("Total", "£1,500.00")], below=["Service from 1 April 2025 to 31 March 2027."])
    assert (extraction.start_date, extraction.end_date) == (date(2025, 4, 1), date(2027, 3, 31))
    assert extraction.term_months == 24


CLAUSES = [
    (
        "The initial term is 36 months. This subscription renews automatically for successive terms of"
        " twelve (12) months unless either party gives written notice at least 60 days before the end of"
        " the term. Prices increase by up to 5% on each renewal. Net 45 days.",
        Clauses(36, 45, True, Decimal(5), 60, None),
    ),
    (
        "Laufzeit: 24 Monate. Der Vertrag verlängert sich automatisch um jeweils 12 Monate, sofern er"
        " nicht mit einer Frist von 3 Monaten zum Laufzeitende gekündigt wird. Bei Verlängerung erhöhen"
        " sich die Preise um höchstens 3,5 %. Zahlbar innerhalb von 30 Tagen.",
        Clauses(24, 30, True, Decimal("3.5"), 90, None),
    ),
    (
        "Le contrat est renouvelé par tacite reconduction pour des périodes de 12 mois, sauf dénonciation"
        " au moins 90 jours avant l'échéance. Au renouvellement, l'augmentation des prix est plafonnée à 4"
        " %.",
        Clauses(None, None, True, Decimal(4), 90, None),
    ),
    (
        "De overeenkomst wordt stilzwijgend met telkens 12 maanden verlengd, tenzij zij uiterlijk 45"
        " dagen voor het einde van de looptijd wordt opgezegd. Bij verlenging stijgen de prijzen met"
        " maximaal 7%.",
        Clauses(None, None, True, Decimal(7), 45, None),
    ),
    (
        "El contrato no se renueva automáticamente. En la renovación, el precio no podrá incrementarse"
        " más de un 3%.",
        Clauses(None, None, False, Decimal(3), None, None),
    ),
    (
        "Aggregate liability is limited to the fees paid in the 12 months before the event.",
        Clauses(),
    ),
]  # fmt: skip


@pytest.mark.parametrize(("text", "clauses"), CLAUSES)
def test_clauses_are_read_from_sentences(text: str, clauses: Clauses) -> None:
    assert read_clauses(text.split(". ")) == clauses


def test_a_clause_says_where_it_stands() -> None:
    below = ("This order runs for 24 months.", "Invoices are payable within 30 days.")
    content = paper.quote(["Description", "Qty", "Amount"], [["Seats", "1", "5.00"]], [], below=below)
    extraction = read_document(content, "quote.pdf")
    term, payment = (extraction.evidence[name] for name in ("term_months", "payment_terms_days"))
    assert (extraction.term_months, extraction.payment_terms_days) == (24, 30)
    assert term.box is not None
    assert payment.box is not None
    assert (term.page, payment.page) == (1, 1)
    assert term.box.bottom < payment.box.bottom, "each on the line that says so"


def test_the_wire_shape_has_plain_values_and_no_absent_keys() -> None:
    wire = quoted([("Subtotal", "1,500.00"), ("VAT", "300.00"), ("Total", "1,800.50")]).to_json()
    assert wire["total"] == 1800.5
    assert wire["document_date"] == "2025-03-04"
    assert "notice_days" not in wire
    items, evidence = wire["line_items"], wire["evidence"]
    assert isinstance(items, list)
    assert isinstance(evidence, dict)
    assert items[0] == {"description": "Editor seats", "quantity": 10, "unit_price": 150, "amount": 1500}
    total = evidence["total"]
    assert isinstance(total, dict)
    assert total["page"] == 1
    assert len(evidence["line_items"]) == len(items)  # pyright: ignore[reportArgumentType]


def test_the_codes_of_a_visualisation_are_no_part_of_its_labels() -> None:
    fields = [
        ("Rechnung", ""), ("Käufer", ""), ("Name (BT-44):", "Stadtwerke Ahrenfurt AG"),
        ("PLZ / Ort (BT-53, BT-52):", "29999 Ahrenfurt"), ("Rechnungsnummer (BT-1):", "2025-70331"),
        *(
            field
            for number, name, count, price, amount in (
                ("1", "Konzentrat", "12", "27,4000", "328,80"), ("2", "Tuch blau", "200", "0,8900", "178,00"),
            )
            for field in (
                (f"Position {number}", ""), ("Bezeichnung (BT-153):", name), ("Menge (BT-129):", count),
                ("Preis pro Einheit, netto (BT-146):", price), ("Gesamtpreis, netto (BT-131):", amount),
            )
        ),
    ]  # fmt: skip
    texts = [
        paper.Text(x, 60 + 14 * number, text)
        for number, field in enumerate(fields)
        for x, text in zip((60, 300), field, strict=True)
        if text
    ]
    extraction = read_document(paper.pdf(texts), "rechnung.pdf")
    assert (extraction.buyer, extraction.document_number) == ("Stadtwerke Ahrenfurt AG", "2025-70331")
    assert [(line.description, line.quantity) for line in extraction.line_items] == [
        ("Konzentrat", 12),
        ("Tuch blau", 200),
    ]
