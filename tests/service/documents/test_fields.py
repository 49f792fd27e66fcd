"""Figures, totals, parties and clauses."""

from datetime import date
from decimal import Decimal

import pytest

from app.service.documents.extraction import Extraction
from app.service.documents.fields.clauses import Clauses, read_clauses
from app.service.documents.reading import read_document
from tests.service.documents import pdf_builder
from tests.service.documents.typewriter import type_sentences

HEADER = ["Description", "Qty", "Unit price", "Amount"]
LINE = ["Editor seats", "10", "150.00", "1,500.00"]


def quoted(
    sums: list[tuple[str, str]], above: list[str] | None = None, below: list[str] | None = None
) -> Extraction:
    heads = above or ["Example Software Ltd", "QUOTE Q-1001", "Date: 4 March 2025"]
    return read_document(pdf_builder.quote(HEADER, [LINE], sums, above=heads, below=below or []), "quote.pdf")


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
        ([("Merchandise total", "1,500.00"), ("Est. freight", "95.00"), ("Quote total", "1,595.00")],
         1595, None, 1595),
        ([("Sous-total", "1 500,00"), ("TPS (5 %)", "75,00"), ("TVQ (9,975 %)", "149,63"),
          ("TOTAL", "1 724,63")], 1500, Decimal("224.63"), Decimal("1724.63")),
        ([("VAT 15.02%", "225.30"), ("Total", "1,725.30"), ("Rounding", "-0.30"), ("To pay", "1,725.00")],
         1500, Decimal("225.3"), 1725),
        ([("Base imponible", "1.500,00"), ("IVA 21%", "315,00"), ("Retención IRPF 15%", "-225,00"),
          ("Total a pagar", "1.590,00")], 1500, 315, 1590),
        ([("Gross value", "1,500.00"), ("VAT 20%", "300.00"), ("Less CIS deduction 20%", "240.00"),
          ("Amount payable", "1,560.00")], 1500, 300, 1560),
        ([("Totale imponibile", "1.500,00"), ("IVA 22%", "330,00"), ("Totale fattura", "1.830,00"),
          ("Ritenuta d'acconto 20%", "-300,00"), ("Netto a pagare", "1.530,00")], 1500, 330, 1830),
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
    content = pdf_builder.pdf([
        *(pdf_builder.Text(x, 400, label, size=8) for label, x, _ in strip),
        *(pdf_builder.Text(x, 414, value, size=8) for (_, _, x), value in zip(strip, values, strict=True)),
    ])  # fmt: skip
    extraction = read_document(content, "factura.pdf")
    assert [str(sum) for sum in (extraction.net_total, extraction.tax_total, extraction.total)] == [
        "1370.30", "91.25", "1461.55",
    ]  # fmt: skip


def test_carriage_among_the_sums_is_part_of_the_total() -> None:
    content = pdf_builder.quote(
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


def test_a_total_that_adds_up_is_sure_and_one_that_does_not_is_reported() -> None:
    right = quoted([("Subtotal", "1,500.00"), ("VAT", "300.00"), ("Total", "1,800.00")])
    wrong = quoted([("Subtotal", "1,500.00"), ("VAT", "300.00"), ("Total", "1,900.00")])
    assert right.provenance["total"].verified
    assert not wrong.provenance["total"].verified
    assert wrong.warnings


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
        pdf_builder.Text(50, 60, "Example Software Ltd", 12),
        pdf_builder.Text(50, 90, "Prepared for"), pdf_builder.Text(300, 90, "Quote no.: Q-7"),
        pdf_builder.Text(50, 104, "Harbour Schools"),
        *pdf_builder.table(200, [(50, False), (300, True), (400, True), (500, True)], rows),
    ]  # fmt: skip
    assert read_document(pdf_builder.pdf(texts), "quote.pdf").buyer == "Harbour Schools"


def test_the_term_follows_from_start_and_end() -> None:
    extraction = quoted([("Total", "£1,500.00")], below=["Service from 1 April 2025 to 31 March 2027."])
    assert (extraction.start_date, extraction.end_date) == (date(2025, 4, 1), date(2027, 3, 31))
    assert extraction.term_months == 24


CLAUSES = [
    (
        "The initial term is 36 months. This subscription renews automatically for successive terms of"
        " twelve (12) months unless either party gives written notice at least 60 days before the end of"
        " the term. Prices increase by up to 5% on each renewal. Net 45 days.",
        Clauses(36, 45, True, Decimal(5), 60, None, renewal_uplift_is_cap=True),
    ),
    (
        "Laufzeit: 24 Monate. Der Vertrag verlängert sich automatisch um jeweils 12 Monate, sofern er"
        " nicht mit einer Frist von 3 Monaten zum Laufzeitende gekündigt wird. Bei Verlängerung erhöhen"
        " sich die Preise um höchstens 3,5 %. Zahlbar innerhalb von 30 Tagen.",
        Clauses(24, 30, True, Decimal("3.5"), 90, None, renewal_uplift_is_cap=True),
    ),
    (
        "Le contrat est renouvelé par tacite reconduction pour des périodes de 12 mois, sauf dénonciation"
        " au moins 90 jours avant l'échéance. Au renouvellement, l'augmentation des prix est plafonnée à 4"
        " %.",
        Clauses(None, None, True, Decimal(4), 90, None, renewal_uplift_is_cap=True),
    ),
    (
        "De overeenkomst wordt stilzwijgend met telkens 12 maanden verlengd, tenzij zij uiterlijk 45"
        " dagen voor het einde van de looptijd wordt opgezegd. Bij verlenging stijgen de prijzen met"
        " maximaal 7%.",
        Clauses(None, None, True, Decimal(7), 45, None, renewal_uplift_is_cap=True),
    ),
    (
        "El contrato no se renueva automáticamente. En la renovación, el precio no podrá incrementarse"
        " más de un 3%.",
        Clauses(None, None, False, Decimal(3), None, None, renewal_uplift_is_cap=True),
    ),
    (
        "Aggregate liability is limited to the fees paid in the 12 months before the event.",
        Clauses(),
    ),
]  # fmt: skip


@pytest.mark.parametrize(("text", "clauses"), CLAUSES)
def test_clauses_are_read_from_sentences(text: str, clauses: Clauses) -> None:
    assert read_clauses(type_sentences(*text.split(". "))) == clauses


def test_a_clause_says_where_it_stands() -> None:
    below = ("This order runs for 24 months.", "Invoices are payable within 30 days.")
    content = pdf_builder.quote(["Description", "Qty", "Amount"], [["Seats", "1", "5.00"]], [], below=below)
    extraction = read_document(content, "quote.pdf")
    term, payment = (extraction.provenance[name] for name in ("term_months", "payment_terms_days"))
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
        pdf_builder.Text(x, 60 + 14 * number, text)
        for number, field in enumerate(fields)
        for x, text in zip((60, 300), field, strict=True)
        if text
    ]
    extraction = read_document(pdf_builder.pdf(texts), "rechnung.pdf")
    assert (extraction.buyer, extraction.document_number) == ("Stadtwerke Ahrenfurt AG", "2025-70331")
    assert [(line.description, line.quantity) for line in extraction.line_items] == [
        ("Konzentrat", 12),
        ("Tuch blau", 200),
    ]
