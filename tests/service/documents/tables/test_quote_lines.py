"""Lines of quotes: what the columns mean, whatever they are called."""

from decimal import Decimal

import pytest

from app.service.documents.extraction import Extraction
from app.service.documents.reading import read_document
from tests.service.documents import pdf_builder

SUMS = [("Subtotal", "$1,500.00"), ("Sales tax 10%", "$150.00"), ("Total", "USD 1,650.00")]


def read(content: bytes) -> Extraction:
    return read_document(content, "quote.pdf")


def figures(read: Extraction) -> list[tuple[Decimal | None, Decimal | None, Decimal | None]]:
    return [(line.quantity, line.unit_price, line.amount) for line in read.line_items]


@pytest.mark.parametrize(
    "header",
    [
        ["Description", "Qty", "Unit price", "Amount"],
        ["Product", "Users", "Rate", "Total"],
        ["Item", "Quantity", "Price each", "Extended"],
        ["Bezeichnung", "Menge", "Einzelpreis", "Gesamtpreis"],
        ["Désignation", "Qté", "P.U. HT", "Montant HT"],
        ["Omschrijving", "Aantal", "Prijs per stuk", "Bedrag"],
        ["Concepto", "Cantidad", "Precio unitario", "Importe"],
    ],
)
def test_headers_of_five_languages_name_the_same_columns(header: list[str]) -> None:
    lines = [["Editor seats", "10", "100.00", "1,000.00"], ["Viewer seats", "50", "10.00", "500.00"]]
    extraction = read(pdf_builder.quote(header, lines, SUMS))
    assert figures(extraction) == [(10, 100, 1000), (50, 10, 500)]
    assert [line.description for line in extraction.line_items] == ["Editor seats", "Viewer seats"]


@pytest.mark.parametrize(
    "header", [["Item no.", "Article"], ["Item number", "Item"], ["Artikel-Nr.", "Artikel"]]
)
def test_a_column_of_numbers_is_no_description_whatever_its_header_holds(header: list[str]) -> None:
    edges = [(50.0, False), (130.0, False), (360.0, True), (460.0, True), (550.0, True)]
    rows = [
        [*header, "Qty", "Price", "Total"],
        ["DL-100150", "Label roll 100 x 150 mm", "80", "62.58", "5,006.40"],
    ]
    texts = [pdf_builder.Text(50, 60, "Example Supply Ltd"), pdf_builder.Text(50, 80, "QUOTE Q-1001")]
    [line] = read(pdf_builder.pdf([*texts, *pdf_builder.table(200, edges, rows)])).line_items
    assert (line.item_id, line.description) == ("DL-100150", "Label roll 100 x 150 mm")


def test_arithmetic_decides_where_words_do_not() -> None:
    # "Fee" and "Charge" may be price or amount; only one reading multiplies.
    lines = [["Editor seats", "10", "100.00", "1,000.00"], ["Viewer seats", "50", "10.00", "500.00"]]
    assert figures(read(pdf_builder.quote(["Service", "Licences", "Fee", "Charge"], lines, SUMS))) == [
        (10, 100, 1000),
        (50, 10, 500),
    ]


def test_a_price_by_the_month_is_charged_for_the_months_of_its_column() -> None:
    lines = [["Editor seats", "10", "$12.50", "12", "$1,500.00"]]
    extraction = read(pdf_builder.quote(["Product", "Qty", "Monthly price", "Months", "Total"], lines, SUMS))
    [line] = extraction.line_items
    assert (line.quantity, line.unit_price, line.amount, line.period_months) == (
        10,
        Decimal("12.5"),
        1500,
        12,
    )
    assert line.provenance["amount"].verified


def test_a_list_price_with_a_discount_gives_the_net_price() -> None:
    lines = [["Editor seats", "10", "$200.00", "25%", "$1,500.00"]]
    [line] = read(
        pdf_builder.quote(["Product", "Qty", "List price", "Discount", "Total"], lines, SUMS)
    ).line_items
    assert (line.list_unit_price, line.discount_percent, line.unit_price, line.amount) == (200, 25, 150, 1500)


def test_a_second_line_of_description_is_no_line_of_its_own() -> None:
    lines = [
        ["Editor seats", "10", "100.00", "1,000.00"],
        ["Includes 24x7 support for 12 months", "", "", ""],
        ["Viewer seats", "50", "10.00", "500.00"],
    ]
    extraction = read(pdf_builder.quote(["Description", "Qty", "Unit price", "Amount"], lines, SUMS))
    assert [line.description for line in extraction.line_items] == ["Editor seats", "Viewer seats"]


def test_included_items_cost_nothing_and_are_kept() -> None:
    lines = [["Editor seats", "10", "150.00", "1,500.00"], ["Starter training", "1", "Included", "Included"]]
    training = read(
        pdf_builder.quote(["Description", "Qty", "Unit price", "Amount"], lines, SUMS)
    ).line_items[1]
    assert (training.quantity, training.unit_price, training.amount, training.included) == (1, 0, 0, True)


@pytest.mark.parametrize("credit", ["(500.00)", "-500.00", "500.00-"])
def test_credits_are_negative_lines(credit: str) -> None:
    lines = [["Editor seats", "10", "200.00", "2,000.00"], ["Loyalty credit", "1", credit, credit]]
    extraction = read(pdf_builder.quote(["Description", "Qty", "Unit price", "Amount"], lines, SUMS))
    assert figures(extraction) == [(10, 200, 2000), (1, -500, -500)]
    assert extraction.warnings == ()


def test_lines_that_do_not_add_up_are_reported_and_not_repaired() -> None:
    lines = [["Editor seats", "10", "100.00", "1,000.00"]]
    extraction = read(pdf_builder.quote(["Description", "Qty", "Unit price", "Amount"], lines, SUMS))
    assert figures(extraction) == [(10, 100, 1000)]
    assert extraction.net_total == 1500
    assert any("add up" in warning for warning in extraction.warnings)


def test_a_line_that_does_not_multiply_is_not_sure() -> None:
    lines = [["Editor seats", "10", "100.00", "1,000.00"], ["Viewer seats", "50", "11.00", "500.00"]]
    extraction = read(pdf_builder.quote(["Description", "Qty", "Unit price", "Amount"], lines, SUMS))
    assert [line.provenance["amount"].verified for line in extraction.line_items] == [True, False]


def test_lines_written_out_as_sums_are_read_without_a_table() -> None:
    texts = [
        pdf_builder.Text(50, 60, "Example Software Ltd", 12),
        pdf_builder.Text(50, 90, "Your quote Q-77", 14),
        pdf_builder.Text(60, 130, "Editor seats", 10, bold=True),
        pdf_builder.Text(60, 144, "10 users x $12.50 per month x 12 months"),
        pdf_builder.Text(540, 144, "$1,500.00", right=True),
        pdf_builder.Text(60, 180, "Subtotal"),
        pdf_builder.Text(540, 180, "$1,500.00", right=True),
    ]
    [line] = read(pdf_builder.pdf(texts)).line_items
    assert (line.description, line.quantity, line.unit_price, line.amount) == (
        "Editor seats",
        10,
        Decimal("12.5"),
        1500,
    )


def test_lines_set_as_blocks_of_labels_are_read() -> None:
    texts = [
        pdf_builder.Text(50, 60, "Example Software Ltd", 12),
        pdf_builder.Text(50, 90, "Proposal P-5", 14),
    ]
    for n, (name, quantity, price, amount) in enumerate(
        [("Editor seats", "10", "$100.00", "$1,000.00"), ("Viewer seats", "50", "$10.00", "$500.00")]
    ):
        top = 130 + 100 * n
        texts.append(pdf_builder.Text(50, top, name, 11, bold=True))
        pairs = [("Quantity", quantity), ("Unit price", price), ("Line total", amount)]
        for m, (label, value) in enumerate(pairs, 1):
            texts += [pdf_builder.Text(50, top + 16 * m, label), pdf_builder.Text(250, top + 16 * m, value)]
    assert figures(read(pdf_builder.pdf(texts))) == [(10, 100, 1000), (50, 10, 500)]


def test_a_table_beside_a_column_of_text_is_read_alone() -> None:
    side = [
        pdf_builder.Text(30, 200 + 18 * n, text)
        for n, text in enumerate(["Valid until", "04/05/2025", "Terms", "Net 30"])
    ]
    rows = [
        ["Product", "Qty", "Price", "Amount"],
        ["Editor seats", "10", "100.00", "1,000.00"],
        ["Viewer seats", "50", "10.00", "500.00"],
    ]
    body = pdf_builder.table(200, [(180, False), (330, True), (430, True), (540, True)], rows)
    head = [pdf_builder.Text(30, 60, "Example Software Ltd", 12), pdf_builder.Text(400, 60, "Quote Q-3", 14)]
    assert figures(read(pdf_builder.pdf([*head, *side, *body]))) == [(10, 100, 1000), (50, 10, 500)]


def test_boxes_stand_where_the_figures_are_printed() -> None:
    lines = [["Editor seats", "10", "150.00", "1,500.00"]]
    content = pdf_builder.quote(["Description", "Qty", "Unit price", "Amount"], lines, SUMS)
    [line] = read(content).line_items
    seen = line.provenance["amount"]
    assert seen.page == 1
    assert seen.box is not None
    assert 500 < seen.box.x0 < seen.box.x1 < 560
    assert 205 < seen.box.top < 219 < seen.box.bottom < 224


def test_a_price_per_month_is_no_column_of_months() -> None:
    lines = [
        ["Editor seats", "10", "15.00", "12", "1,800.00"],
        ["Viewer seats", "50", "2.50", "12", "1,500.00"],
    ]
    for header in (
        ["Product", "Aantal", "Prijs per maand", "Looptijd", "Totaalprijs"],
        ["Product", "Volume", "Rate / month", "# of months", "Line total"],
    ):
        extraction = read(pdf_builder.quote(header, lines, []))
        assert figures(extraction) == [(10, 15, 1800), (50, Decimal("2.5"), 1500)]
        assert [line.period_months for line in extraction.line_items] == [12, 12]


def test_a_total_of_one_year_is_not_the_total_of_all() -> None:
    lines = [["Editor seats", "10", "100.00", "1,000.00"], ["Viewer seats", "50", "10.00", "500.00"]]
    sums = [("Total Year 1", "$1,000.00"), ("Total Year 2", "$500.00"), ("Total net amount", "$1,500.00")]
    assert read(pdf_builder.quote(["Description", "Qty", "Price", "Amount"], lines, sums)).total == 1500


def test_fields_in_one_row_make_a_line() -> None:
    texts = [
        pdf_builder.Text(50, 100, "Editor seats", 12),
        *(
            pdf_builder.Text(60 + 120 * n, 116, one)
            for n, one in enumerate(("Qty: 10", "Price: 15.00", "Total: 150.00"))
        ),
        pdf_builder.Text(50, 150, "Viewer seats", 12),
        *(
            pdf_builder.Text(60 + 120 * n, 166, one)
            for n, one in enumerate(("Qty: 4", "Price: 2.50", "Total: 10.00"))
        ),
    ]
    extraction = read(pdf_builder.pdf(texts))
    assert figures(extraction) == [(10, 15, 150), (4, Decimal("2.5"), 10)]
    assert [line.description for line in extraction.line_items] == ["Editor seats", "Viewer seats"]


@pytest.mark.parametrize(
    "header",
    [
        ["Bezeichnung", "Menge", "Einzelpreis/Monat", "Pro Monat", "12 Monate"],
        ["Omschrijving", "Aantal", "Prijs per maand", "Per maand", "12 maanden"],
    ],
)
def test_a_column_named_for_a_term_holds_the_amounts(header: list[str]) -> None:
    lines = [["Shop licence", "34", "$89.00", "$3,026.00", "$36,312.00"],
             ["Till", "21", "$29.00", "$609.00", "$7,308.00"]]  # fmt: skip
    extraction = read(pdf_builder.quote(header, lines, [("Total", "$43,620.00")]))
    assert figures(extraction) == [(34, 89, 36312), (21, 29, 7308)]
    assert [line.period_months for line in extraction.line_items] == [12, 12]


def test_a_sum_beside_a_text_is_no_line() -> None:
    columns = [(50.0, False), (320.0, False), (430.0, True), (480.0, True), (550.0, True)]
    rows = [
        ["Activity", "Description", "Qty", "Rate", "Amount"],
        ["Mowing", "Along the lot", "6", "58.00", "348.00"],
        ["Mulch", "Delivered", "10", "40.00", "400.00"],
        ["We thank you for your business in this year, the best yet", "SUBTOTAL", "", "", "748.00"],
        ["Please make all checks payable to Copper Lawn Care", "TAX", "(7.25%)", "", "54.23"],
        ["", "TOTAL", "", "", "802.23"],
    ]
    extraction = read(pdf_builder.pdf(pdf_builder.table(80, columns, rows)))
    assert figures(extraction) == [(6, 58, 348), (10, 40, 400)]


def test_positions_of_labels_and_values_in_two_columns_are_lines() -> None:
    texts: list[pdf_builder.Text] = []
    positions = [
        ("Unterhaltsreinigung", "Oktober", "1", "Monat", "2.145,00", "2.145,00"),
        ("Glasreinigung innen", "und außen", "310", "m²", "1,85", "573,50"),
        ("Seife und Papier nach", "Verbrauch", "2", "Pauschale", "187,35", "374,70"),
    ]
    for number, (name, more, *values) in enumerate(positions):
        top = 80 + 90 * number
        texts.append(pdf_builder.Text(60, top, f"Position {number + 1}", bold=True))
        texts += [pdf_builder.Text(60, top + 14, "Name:"), pdf_builder.Text(60, top + 42, "Nummer des")]
        texts += [
            pdf_builder.Text(60, top + 54, "Verkäufers:"),
            pdf_builder.Text(280, top + 42, "SV-4", right=True),
        ]
        texts += [
            pdf_builder.Text(280, top + 14, name, right=True),
            pdf_builder.Text(280, top + 26, more, right=True),
        ]
        labels = ("Menge:", "Einheit:", "Preis pro Einheit (netto):", "Gesamtpreis (netto):")
        for line, (label, value) in enumerate(zip(labels, values, strict=True)):
            texts += [pdf_builder.Text(310, top + 14 + 14 * line, label)]
            texts += [pdf_builder.Text(530, top + 14 + 14 * line, value, right=True)]
    extraction = read(pdf_builder.pdf(texts))
    assert [line.description for line in extraction.line_items] == [f"{one[0]} {one[1]}" for one in positions]
    assert [line.amount for line in extraction.line_items] == [Decimal(x) for x in ("2145", "573.5", "374.7")]


def test_columns_that_nearly_touch_are_told_apart_by_their_headers() -> None:
    # Months end at 300, quantities begin at 304: no wider than a space between words.
    edges = [(50.0, False), (300.0, True), (304.0, False), (420.0, True), (550.0, True)]
    rows = [
        ["Description", "Mths", "Qty", "Monthly price", "Amount"],
        ["Editor seats", "12", "10 users", "15.00", "1,800.00"],
        ["Viewer seats", "12", "50 users", "2.50", "1,500.00"],
    ]
    assert figures(read(pdf_builder.pdf(pdf_builder.table(200, edges, rows)))) == [
        (10, 15, 1800),
        (50, Decimal("2.5"), 1500),
    ]
