"""Trade documents: bills, folios, statements and confirmations, whose lines are not those of a quote."""

from decimal import Decimal

import pytest

from app.service.documents.extraction import Extraction
from app.service.documents.reading import read_document
from tests.service.documents import pdf_builder


def read(content: bytes) -> Extraction:
    return read_document(content, "invoice.pdf")


def figures(read: Extraction) -> list[tuple[Decimal | None, Decimal | None, Decimal | None]]:
    return [(line.quantity, line.unit_price, line.amount) for line in read.line_items]


def test_the_head_of_the_next_page_is_no_part_of_the_table() -> None:
    edges = [(50.0, False), (300.0, True), (400.0, True), (550.0, True)]
    header = ["Description", "Qty", "Price", "Amount"]
    head = [
        pdf_builder.Text(50, 60, "Example Supply Depot 12 Mill Road"),
        pdf_builder.Text(350, 60, "Invoice no"),
        pdf_builder.Text(550, 60, "00481190", right=True),
    ]
    pages = [
        [*head, *pdf_builder.table(160, edges, [header, ["Bearing", "24", "5.50", "132.00"]])],
        [*head, *pdf_builder.table(160, edges, [header, ["Belt", "10", "12.00", "120.00"]])],
    ]
    assert figures(read(pdf_builder.pdf(*pages))) == [(24, Decimal("5.5"), 132), (10, 12, 120)]


def test_a_code_of_tax_beside_the_price_is_no_price() -> None:
    edges = [(50.0, False), (110.0, False), (330.0, True), (346.0, False), (425.0, True), (459.0, True),
             (545.0, True)]  # fmt: skip
    rows = [
        ["Art.-Nr.", "Bezeichnung", "Menge", "EH", "Preis", "MwSt", "Betrag EUR"],
        ["40112", "Milch", "12", "Ki", "10,68", "1", "128,16"],
        ["40127", "Quark", "3", "Eim", "9,95", "2", "29,85"],
    ]
    sums = [["MwSt", "", "Satz", "", "Wert", "", ""], ["1", "", "7,00 %", "", "128,16", "", ""]]
    beside = [
        pdf_builder.Text(370, 280, "Warenwert netto"),
        pdf_builder.Text(545, 280, "158,01", right=True),
        pdf_builder.Text(370, 298, "Steuer gesamt"),
        pdf_builder.Text(545, 298, "14,64", right=True),
    ]
    table = [*pdf_builder.table(180, edges, rows), *pdf_builder.table(280, edges, sums), *beside]
    assert figures(read(pdf_builder.pdf(table))) == [
        (12, Decimal("10.68"), Decimal("128.16")),
        (3, Decimal("9.95"), Decimal("29.85")),
    ]


def test_rows_of_a_summary_of_taxes_are_no_lines() -> None:
    lines = [["Panel light", "40", "1,150.00", "46,000.00"], ["Cable", "25", "2,840.00", "71,000.00"],
             ["Total", "", "", "1,17,000.00"], ["9405", "46,000.00", "9%", "4,140.00"],
             ["8544", "71,000.00", "9%", "6,390.00"]]  # fmt: skip
    extraction = read(pdf_builder.quote(["Goods", "Quantity", "Rate", "Amount"], lines, []))
    assert figures(extraction) == [(40, 1150, 46000), (25, 2840, 71000)]


def test_three_decimals_after_a_zero_tell_the_decimal_mark() -> None:
    lines = [["Büro", "m²", "0,184"], ["Flur", "m²", "0,137"], ["Glas", "m²", "1,890"]]
    extraction = read(pdf_builder.quote(["Leistung", "Einheit", "Einheitspreis EUR"], lines, []))
    assert [line.unit_price for line in extraction.line_items] == [
        Decimal("0.184"), Decimal("0.137"), Decimal("1.89"),
    ]  # fmt: skip


def test_a_discount_in_money_comes_off_the_list_price() -> None:
    header = ["Artikel", "Menge", "Listenpreis", "Rabatt", "Betrag"]
    lines = [["Wartung", "34", "612,00 €", "-1.664,64 €", "19.143,36 €"],
             ["Viewer", "150", "18,00 €", "0,00 €", "2.700,00 €"]]  # fmt: skip
    care, viewer = read(pdf_builder.quote(header, lines, [("Netto", "21.843,36 €")])).line_items
    assert (care.unit_price, care.list_unit_price) == (Decimal("563.04"), 612)
    assert (viewer.quantity, viewer.unit_price) == (150, 18)


def test_a_bill_may_show_amounts_alone_under_the_sign_of_a_currency() -> None:
    lines = [["Fibre 500", "1 May 2026 - 31 May 2026", "54.50"], ["Static address", "1 May 2026", "8.00"]]
    extraction = read(pdf_builder.quote(["Service", "Period", "€ excl. VAT"], lines, []))
    assert [line.amount for line in extraction.line_items] == [Decimal("54.5"), 8]


def test_an_exchange_rate_is_no_price() -> None:
    header = ["Charge", "Amount", "Ex. rate", "Amount CAD"]
    lines = [["Ocean freight", "2,450.00", "1.3680", "3,351.60"], ["Customs", "145.00", "1.0000", "145.00"]]
    assert figures(read(pdf_builder.quote(header, lines, []))) == [
        (1, Decimal("3351.6"), Decimal("3351.6")),
        (1, 145, 145),
    ]


def test_the_value_to_date_is_the_amount_and_what_is_taken_off_the_sum_no_line() -> None:
    header = ["Description of work", "Qty", "Rate £", "Value to date £"]
    lines = [["Roof covering", "312", "18.50", "5,772.00"], ["Leadwork", "46", "52.00", "2,392.00"],
             ["Value of work", "", "", "8,164.00"], ["Retention 5%", "", "", "-408.20"]]  # fmt: skip
    extraction = read(pdf_builder.quote(header, lines, [("Invoice total", "7,755.80")]))
    assert [line.amount for line in extraction.line_items] == [5772, 2392]


def test_a_column_of_text_may_go_by_any_name() -> None:
    lines = [["Oak board", "4", "18.75", "75.00"], ["Pine board", "2", "9.50", "19.00"]]
    extraction = read(pdf_builder.quote(["Timber", "Quantity", "Rate", "Amount"], lines, []))
    assert [line.description for line in extraction.line_items] == ["Oak board", "Pine board"]


def test_a_tax_with_a_date_of_its_own_is_a_charge_of_the_stay() -> None:
    lines = [["04-06-26", "Room charge", "189.00"], ["04-06-26", "Occupancy tax 8%", "15.12"],
             ["04-07-26", "Parking", "22.00"]]  # fmt: skip
    edges = [(50.0, False), (120.0, False), (496.0, True)]
    page = pdf_builder.table(
        200, edges, [["Date", "Description", "Charges"], *lines, ["", "Total", "226.12"]]
    )
    assert [line.amount for line in read(pdf_builder.pdf(page)).line_items] == [189, Decimal("15.12"), 22]


def test_a_discount_among_the_lines_is_a_line() -> None:
    lines = [["Facturatie", "30", "€ 27,50", "€ 825,00"], ["Actiekorting", "", "", "-€ 95,00"],
             ["Inrichting", "3", "€ 108,00", "€ 324,00"]]  # fmt: skip
    extraction = read(pdf_builder.quote(["Omschrijving", "Aantal", "Prijs", "Bedrag"], lines, []))
    assert [line.amount for line in extraction.line_items] == [825, -95, 324]


def test_the_number_of_a_page_is_no_price() -> None:
    lines = [["DS-250", "Document store", "£320.00"], ["TRN", "Training", "£895.00"]]
    edges = [(50.0, False), (120.0, False), (550.0, True)]
    foot = [
        pdf_builder.Text(50, 800, "Example Software Ltd, Mill Road"),
        pdf_builder.Text(550, 800, "1", right=True),
    ]
    page = pdf_builder.table(200, edges, [["Code", "Item", "Price"], *lines])
    assert [line.unit_price for line in read(pdf_builder.pdf([*page, *foot])).line_items] == [320, 895]


def test_the_strip_of_references_above_the_lines_is_no_table() -> None:
    edges = [(50.0, False), (230.0, True), (380.0, True), (550.0, True)]
    strip = [["Quote reference", "Quote date", "Customer #", "Grand total"],
             ["ENDPOINT-26", "2/17/2026", "11840926", "$20.00"]]  # fmt: skip
    rows = [["Description", "Qty", "Unit price", "Amount"], ["Seat", "2", "$10.00", "$20.00"]]
    page = [*pdf_builder.table(120, edges, strip), *pdf_builder.table(200, edges, rows)]
    assert figures(read(pdf_builder.pdf(page))) == [(2, 10, 20)]


def test_the_column_of_text_may_have_no_header() -> None:
    lines = [["Case manager", "58", "£29.50", "£1,711.00"], ["Migration", "1", "once", "£6,850.00"]]
    extraction = read(pdf_builder.quote(["", "Number", "Per month", "Total"], lines, []))
    assert [(line.description, line.amount) for line in extraction.line_items] == [
        ("Case manager", 1711),
        ("Migration", 6850),
    ]


def at_left(*rows: tuple[str, str]) -> bytes:
    """A page of texts with an amount at the right each, 10 points apart."""
    texts = [pdf_builder.Text(60, 100 + 10 * n, text, 9.5) for n, (text, _) in enumerate(rows)]
    texts += [
        pdf_builder.Text(540, 100 + 10 * n, amount, 9.5, right=True)
        for n, (_, amount) in enumerate(rows)
        if amount
    ]
    return pdf_builder.pdf(texts)


def test_a_shop_states_the_count_below_the_name_and_its_amount() -> None:
    extraction = read(at_left(
        ("Merino wool, 50 g", "£47.60"), ("MW-041", ""), ("Qty: 8 × £5.95", ""), ("", ""), ("", ""),
        ("Needle 4 mm", "£9.50"), ("CN-480", ""), ("Qty: 1", ""), ("", ""), ("", ""),
        ("Items", "£57.10"), ("Voucher", "-£5.00"), ("Total", "£52.10"),
    ))  # fmt: skip
    assert figures(extraction) == [(8, Decimal("5.95"), Decimal("47.6")), (1, Decimal("9.5"), Decimal("9.5"))]
    assert extraction.line_items[1].description == "Needle 4 mm"
    assert not extraction.line_items[1].provenance["amount"].verified


def test_the_name_stands_before_the_sum_on_its_row() -> None:
    extraction = read(at_left(
        ("Drawer base 900 – 4 ea at $612.00", "$2,448.00"), ("Pantry 600 – 1 ea at $980.00", "$980.00"),
        ("Total", "$3,428.00"),
    ))  # fmt: skip
    assert [line.description for line in extraction.line_items] == ["Drawer base 900", "Pantry 600"]


def test_a_credit_after_words_keeps_its_minus() -> None:
    extraction = read(at_left(
        ("Team plan × 14", "$252.00"), ("$18.00 each per month", ""), ("Guests × 5", "$20.00"),
        ("$4.00 each per month", ""), ("Unused time on starter plan", "-$37.16"), ("Subtotal", "$234.84"),
    ))  # fmt: skip
    assert [line.amount for line in extraction.line_items] == [252, 20, Decimal("-37.16")]


def test_a_view_of_an_electronic_invoice_is_blocks_of_two_columns() -> None:
    rows = [("Position 1", "", "", ""), ("Bezeichnung:", "Papier A4", "Menge:", "40"),
            ("Beschreibung:", "Karton", "Preis pro Einheit", "18,9000"), ("", "", "(netto):", ""),
            ("Umsatzsteuersatz:", "19 %", "Gesamtpreis (netto):", "756,00"),
            ("Position 2", "", "", ""), ("Bezeichnung:", "Ordner blau", "Menge:", "100"),
            ("Beschreibung:", "mit Griff", "Preis pro Einheit", "2,1000"), ("", "", "(brutto):", ""),
            ("Umsatzsteuersatz:", "19 %", "Preis pro Einheit", "1,8900"), ("", "", "(netto):", ""),
            ("", "", "Gesamtpreis (netto):", "189,00")]  # fmt: skip
    edges = [(40.0, False), (160.0, False), (330.0, False), (540.0, True)]
    extraction = read(pdf_builder.pdf(pdf_builder.table(100, edges, rows)))
    assert figures(extraction) == [(40, Decimal("18.9"), 756), (100, Decimal("1.89"), 189)]
    assert [line.description for line in extraction.line_items] == ["Papier A4", "Ordner blau"]


def test_rows_without_a_header_may_say_what_a_price_is_for() -> None:
    rows = [["Storage", "A$0.0235 per GB", "52,250 GB", "A$1,227.88"],
            ["Requests", "A$0.0050 per 1k", "122,400 1k", "A$612.00"]]  # fmt: skip
    edges = [(50.0, False), (260.0, True), (400.0, True), (550.0, True)]
    assert figures(read(pdf_builder.pdf(pdf_builder.table(200, edges, rows)))) == [
        (52250, Decimal("0.0235"), Decimal("1227.88")),
        (122400, Decimal("0.005"), 612),
    ]


def test_a_module_named_after_a_tax_is_a_line_where_it_has_a_number_and_a_quantity() -> None:
    header = ["Code", "Description", "Quantity", "Price", "Amount"]
    rows = [header, ["T-1", "Town suite", "1", "$800.00", "$800.00"],
            ["T-2", "Property tax", "1", "–", "incl."], ["T-3", "Named user", "22", "$10.00", "$220.00"],
            ["", "Tax 5%", "", "", "$51.00"]]  # fmt: skip
    edges = [(50.0, False), (100.0, False), (350.0, True), (450.0, True), (550.0, True)]
    extraction = read(pdf_builder.pdf(pdf_builder.table(200, edges, rows)))
    assert figures(extraction) == [(1, 800, 800), (1, 0, 0), (22, 10, 220)]


def test_a_fee_charged_once_stands_in_cells_beside_sums() -> None:
    header = ["Service", "Calculation", "Fees"]
    rows = [header, ["Crew app", "96 users × £41.00 per user per month × 24 months", "£94,464.00"],
            ["Workshop", "One-off fee", "£3,950.00"]]  # fmt: skip
    edges = [(50.0, False), (200.0, False), (550.0, True)]
    extraction = read(pdf_builder.pdf(pdf_builder.table(200, edges, rows)))
    assert figures(extraction) == [(96, 41, 94464), (1, 3950, 3950)]
    assert [line.description for line in extraction.line_items] == ["Crew app", "Workshop"]


def test_a_name_may_stand_over_the_figures_beside_a_date() -> None:
    edges = [(50.0, False), (150.0, False), (300.0, True), (400.0, True), (500.0, True)]
    rows = [["Product", "Start", "Qty", "Price", "Amount"], ["Hosts", "2026", "20", "15.00", "300.00"],
            ["Agents", "2026", "5", "31.00", "155.00"]]  # fmt: skip
    last = [
        pdf_builder.Text(50, 268, "Standard support"),
        pdf_builder.Text(150, 268, "1 Jan"),
        pdf_builder.Text(300, 276, "1", right=True),
        pdf_builder.Text(400, 276, "–", right=True),
        pdf_builder.Text(500, 276, "Included", right=True),
        pdf_builder.Text(150, 284, "2026"),
    ]
    extraction = read(pdf_builder.pdf([*pdf_builder.table(200, edges, rows), *last]))
    assert figures(extraction) == [(20, 15, 300), (5, 31, 155), (1, 0, 0)]


@pytest.mark.parametrize(
    ("header", "line", "read_as"),
    [
        (["Shipment", "Pieces", "Weight", "Rate", "Charge"], ["2", "18.5", "4.00", "74.00"], (18.5, 4, 74)),
        (["Work", "Scheduled", "Qty to date", "Rate", "Amount"], ["90.00", "6", "9.00", "54.00"], (6, 9, 54)),
        (["Artikel", "Menge", "VK-Preis", "Rabatt", "Wert"], ["6", "9.00", "", "54.00"], (6, 9, 54)),
        (
            ["Servicio", "Unidades", "Precio", "IVA", "Base imponible"],
            ["6", "9.00", "21%", "54.00"],
            (6, 9, 54),
        ),
    ],
)
def test_arithmetic_and_words_find_quantity_and_amount(
    header: list[str], line: list[str], read_as: tuple[float, float, float]
) -> None:
    third = ["7", "9.00", "21%", "63.00"] if "IVA" in header else ["9.00", "3", "5.00", "15.00"]
    third = ["3", "5.00", "", "15.00"] if "Rabatt" in header else third
    extraction = read(pdf_builder.quote(header, [["Alpha", *line], ["Beta", *third]], []))
    assert tuple(float(value or 0) for value in figures(extraction)[0]) == read_as


def test_a_column_that_goes_on_to_its_sum_holds_amounts() -> None:
    lines = [["Line rental", "1 May 2026", "54.50"], ["Calls", "1 May 2026", "8.25"]]
    extraction = read(pdf_builder.quote(["Service", "Period", "Charge"], lines, [("Subtotal", "62.75")]))
    assert [line.amount for line in extraction.line_items] == [Decimal("54.5"), Decimal("8.25")]


def test_amounts_may_stand_under_no_header() -> None:
    lines = [["Alpha", "2", "50.00", "100.00"], ["Beta", "3", "20.00", "60.00"]]
    extraction = read(pdf_builder.quote(["Item", "Qty", "Each", ""], lines, [("Total", "160.00")]))
    assert figures(extraction) == [(2, 50, 100), (3, 20, 60)]


def test_a_strip_of_rates_of_tax_below_the_lines_is_no_line() -> None:
    lines = [["Alpha", "2", "50.00", "100.00"], ["Beta", "3", "20.00", "60.00"],
             ["VAT rate", "Net", "VAT", "Gross"], ["20%", "100.00", "20.00", "120.00"],
             ["5%", "60.00", "3.00", "63.00"]]  # fmt: skip
    extraction = read(pdf_builder.quote(["Description", "Qty", "Unit price", "Amount"], lines, []))
    assert figures(extraction) == [(2, 50, 100), (3, 20, 60)]


def test_rows_that_add_up_to_a_total_are_lines_without_any_header() -> None:
    extraction = read(at_left(
        ("Repair of the boiler", "£100.00"), ("Call-out charge", "£60.00"), ("Net", "£160.00"),
        ("VAT 20%", "£32.00"), ("Total", "£192.00"),
    ))  # fmt: skip
    assert figures(extraction) == [(1, 100, 100), (1, 60, 60)]


def test_sums_that_make_up_the_total_are_no_lines() -> None:
    assert not read(at_left(("Net", "£160.00"), ("VAT 20%", "£32.00"), ("Total", "£192.00"))).line_items


def test_carriage_is_a_line_among_the_lines_and_none_among_the_sums() -> None:
    header, alpha = ["Description", "Qty", "Unit price", "Amount"], ["Alpha", "2", "50.00", "100.00"]
    among = pdf_builder.quote(header, [alpha, ["Carriage", "", "", "12.00"]], [("Net total", "112.00")])
    beta, sums = ["Beta", "1", "60.00", "60.00"], [("Goods", "160.00"), ("Carriage", "9.00")]
    below = pdf_builder.quote(header, [alpha, beta], sums)
    assert [line.amount for line in read(among).line_items] == [100, 12]
    assert [line.amount for line in read(below).line_items] == [100, 60]
