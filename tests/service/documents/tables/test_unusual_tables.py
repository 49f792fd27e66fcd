"""Lines in less common layouts: columns that make a line each, prices of all kinds, rows that are none."""

from decimal import Decimal

from app.service.documents.extraction import Extraction
from app.service.documents.reading import read_document
from tests.service.documents import pdf_builder

SUMS = [("Subtotal", "$1,500.00"), ("Sales tax 10%", "$150.00"), ("Total", "$1,650.00")]


def read(content: bytes) -> Extraction:
    return read_document(content, "quote.pdf")


def figures(read: Extraction) -> list[tuple[Decimal | None, Decimal | None, Decimal | None]]:
    return [(line.quantity, line.unit_price, line.amount) for line in read.line_items]


def test_years_side_by_side_are_a_line_each() -> None:
    header = ["Product", "Qty", "Price/year", "Year 1", "Year 2", "Total"]
    lines = [
        ["Editor seats", "10", "100.00", "1,000.00", "1,100.00", "2,100.00"],
        ["Onboarding", "1", "700.00", "700.00", "-", "700.00"],
    ]
    extraction = read(pdf_builder.quote(header, lines, [("Total", "$2,800.00")]))
    assert figures(extraction) == [(10, 100, 1000), (10, 110, 1100), (1, 700, 700)]
    sure = [line.provenance["amount"].verified for line in extraction.line_items]
    assert sure == [True, False, True], "10 and 1,100.00 multiply with nothing printed"
    assert extraction.line_items[1].provenance["unit_price"].box is None, "110.00 is printed nowhere"


def test_quantities_of_years_side_by_side_are_a_line_each() -> None:
    header = ["Product", "Price per seat", "Year 1 qty", "Year 2 qty", "Total"]
    lines = [
        ["Editor seats", "100.00", "10", "20", "3,000.00"],
        ["Viewer seats", "5.00", "50", "60", "550.00"],
    ]
    assert figures(read(pdf_builder.quote(header, lines, [("Total", "$3,550.00")]))) == [
        (10, 100, 1000),
        (20, 100, 2000),
        (50, 5, 250),
        (60, 5, 300),
    ]


def test_tiers_side_by_side_are_a_line_each() -> None:
    header = ["Product", "1-24", "25-99", "100+"]
    lines = [["Editor seats", "4.80", "4.42", "4.03"], ["Viewer seats", "2.20", "2.02", "1.85"]]
    extraction = read(pdf_builder.quote(header, lines, [], above=["Example Software Ltd", "Price list 2025"]))
    assert extraction.kind == "price_list"
    assert [str(line.unit_price) for line in extraction.line_items] == [
        "4.80", "4.42", "4.03", "2.20", "2.02", "1.85",
    ]  # fmt: skip


def test_how_many_a_price_holds_for_is_no_quantity() -> None:
    header = ["Product", "Volume", "Price"]
    lines = [
        ["Editor", "1 - 24 users", "6.50"],
        ["Editor", "25 - 99 users", "5.90"],
        ["Editor", "100+ users", "5.20"],
    ]
    extraction = read(pdf_builder.quote(header, lines, [], above=["Example Software Ltd", "Price list 2025"]))
    assert [(line.quantity, str(line.unit_price)) for line in extraction.line_items] == [
        (None, "6.50"), (None, "5.90"), (None, "5.20"),
    ]  # fmt: skip


def test_headers_set_left_name_the_figures_set_right() -> None:
    # "34" ends where no header stands; "31" belongs to the quantity, "seats" to the unit.
    left = [(50.0, "SKU"), (110.0, "Product"), (240.0, "Prev. qty"), (300.0, "New qty"), (352.0, "Unit"),
            (390.0, "Price"), (470.0, "Amount")]  # fmt: skip
    texts = [pdf_builder.Text(x, 200, header) for x, header in left]
    edges = [(50.0, False), (110.0, False), (295.0, True), (348.0, True), (352.0, False), (455.0, True),
             (550.0, True)]  # fmt: skip
    rows = [
        ["E-1", "Editor seats", "34", "31", "seats", "10.00", "310.00"],
        ["V-2", "Viewer seats", "60", "57", "seats", "2.00", "114.00"],
    ]
    assert figures(read(pdf_builder.pdf([*texts, *pdf_builder.table(218, edges, rows)]))) == [
        (31, 10, 310),
        (57, 2, 114),
    ]


def test_prices_by_pace_side_by_side_are_a_line_each() -> None:
    lines = [["Editor seats", "$19.00", "$190.00"], ["Viewer seats", "$5.00", "$50.00"]]
    extraction = read(pdf_builder.quote(["Product", "Monthly", "Annual"], lines, []))
    assert [line.unit_price for line in extraction.line_items] == [19, 190, 5, 50]


def test_multiplication_names_columns_whose_headers_say_nothing() -> None:
    header = ["Item", "Boxes", "Weight kg", "per kg", "Due"]
    lines = [["Apples", "2", "13.216", "1.50", "19.82"], ["Pears", "5", "23.580", "2.00", "47.16"]]
    extraction = read(pdf_builder.quote(header, lines, []))
    assert figures(extraction) == [
        (Decimal("13.216"), Decimal("1.5"), Decimal("19.82")),
        (Decimal("23.58"), 2, Decimal("47.16")),
    ]


def test_an_amount_in_another_currency_is_no_quantity() -> None:
    header = ["Charge", "Curr", "Amount", "Rate", "GBP"]
    lines = [["Ocean freight", "USD", "2,850.00", "0.7840", "2,234.40"],
             ["Customs entry", "USD", "100.00", "0.7840", "78.40"]]  # fmt: skip
    extraction = read(pdf_builder.quote(header, lines, [("Total charges", "2,312.80")]))
    assert [line.amount for line in extraction.line_items] == [Decimal("2234.4"), Decimal("78.4")]
    assert all(line.quantity == 1 for line in extraction.line_items)


def test_a_price_stated_for_a_hundred_is_kept_with_its_basis() -> None:
    header = ["Description", "Qty", "Price", "per", "Discount", "Amount"]
    lines = [
        ["Screw", "2,500", "18.90", "100", "10%", "425.25"],
        ["Glue", "12", "14.85", "1", "5%", "169.29"],
    ]
    screw, glue = read(pdf_builder.quote(header, lines, [])).line_items
    assert (screw.quantity, screw.unit_price, screw.price_basis_quantity) == (2500, Decimal("17.01"), 100)
    assert (glue.quantity, glue.unit_price, glue.price_basis_quantity) == (12, Decimal("14.11"), None)
    assert not screw.provenance["unit_price"].verified
    assert not glue.provenance["unit_price"].verified, "14.85 less 5 % is printed nowhere"


def test_a_price_in_pence_is_charged_in_pounds() -> None:
    lines = [["Day units", "3,180 kWh", "28.64p per kWh", "£910.75"],
             ["Night units", "1,240 kWh", "16.41p per kWh", "£203.48"]]  # fmt: skip
    extraction = read(pdf_builder.quote(["Charge", "Units", "Price", "Cost"], lines, []))
    assert [line.unit_price for line in extraction.line_items] == [Decimal("0.2864"), Decimal("0.1641")]


def test_the_old_price_before_the_new_one_is_the_list_price() -> None:
    lines = [["Editor seats", "22", "$100.00 $90.00", "$1,980.00"], ["Setup", "1", "$500.00", "$500.00"]]
    seats, setup = read(pdf_builder.quote(["Item", "Quantity", "Unit price", "Total"], lines, [])).line_items
    assert (seats.unit_price, seats.list_unit_price) == (90, 100)
    assert (setup.unit_price, setup.list_unit_price) == (500, None)


def test_sums_carried_to_the_next_page_are_no_lines() -> None:
    lines = [["Editor seats", "10", "100.00", "1,000.00"], ["Carried forward", "", "", "1,000.00"],
             ["Viewer seats", "50", "10.00", "500.00"]]  # fmt: skip
    assert figures(read(pdf_builder.quote(["Description", "Qty", "Price", "Amount"], lines, SUMS))) == [
        (10, 100, 1000),
        (50, 10, 500),
    ]


def test_a_row_that_sums_up_the_lines_above_is_no_line() -> None:
    lines = [["Editor seats", "10", "100.00", "1,000.00"], ["Viewer seats", "50", "10.00", "500.00"],
             ["First section", "", "", "1,500.00"], ["Setup", "1", "200.00", "200.00"]]  # fmt: skip
    assert len(read(pdf_builder.quote(["Description", "Qty", "Price", "Amount"], lines, [])).line_items) == 3


def test_headers_that_touch_are_told_apart() -> None:
    header = [
        pdf_builder.Text(50, 200, "Description"),
        pdf_builder.Text(300, 200, "QtyUnit price"),
        pdf_builder.Text(510, 200, "Amount"),
    ]
    edges = [(50.0, False), (312.0, True), (360.0, True), (540.0, True)]
    rows = [["Editor seats", "10", "100.00", "1,000.00"], ["Viewer seats", "50", "10.00", "500.00"]]
    extraction = read(pdf_builder.pdf([*header, *pdf_builder.table(218, edges, rows)]))
    assert figures(extraction) == [(10, 100, 1000), (50, 10, 500)]
    assert all(line.provenance["amount"].verified for line in extraction.line_items)


def test_the_quantity_delivered_is_what_is_charged() -> None:
    header = ["Description", "Ordered", "Delivered", "Unit price", "Amount"]
    lines = [["Shelves", "10", "8", "100.00", "800.00"], ["Doors", "50", "50", "10.00", "500.00"]]
    assert figures(read(pdf_builder.quote(header, lines, []))) == [(8, 100, 800), (50, 10, 500)]


def test_a_dash_after_words_is_no_minus() -> None:
    texts = [
        pdf_builder.Text(50, 60, "Example Joinery", 12),
        pdf_builder.Text(60, 130, "Base units, painted - 7 no. at $385.00"),
        pdf_builder.Text(540, 130, "$2,695.00", right=True),
        pdf_builder.Text(60, 146, "Fitting - 4.5 days at $540.00"),
        pdf_builder.Text(540, 146, "$2,430.00", right=True),
    ]
    assert figures(read(pdf_builder.pdf(texts))) == [(7, 385, 2695), (Decimal("4.5"), 540, 2430)]


def test_a_price_below_its_line_is_read() -> None:
    texts = [
        pdf_builder.Text(60, 130, "Team plan x 14"),
        pdf_builder.Text(540, 130, "$252.00", right=True),
        pdf_builder.Text(60, 144, "$18.00 each per month", 8),
        pdf_builder.Text(60, 170, "Guests x 5"),
        pdf_builder.Text(540, 170, "$20.00", right=True),
        pdf_builder.Text(60, 184, "$4.00 each per month", 8),
    ]
    assert figures(read(pdf_builder.pdf(texts))) == [(14, 18, 252), (5, 4, 20)]


def test_the_price_that_multiplies_to_the_amount_is_the_unit_price() -> None:
    # The header is broken over two lines, of which only the tax tells the prices apart.
    edges = [(50.0, False), (220.0, True), (320.0, True), (380.0, True), (460.0, True), (550.0, True)]
    rows = [
        ["", "", "Unit price", "", "Unit price", "Subtotal"],
        ["Description", "Qty", "(excl. VAT)", "VAT %", "(incl. VAT)", "(incl. VAT)"],
        ["Laminating film", "5", "9.17", "20%", "11.00", "55.00"],
        ["Safety scissors", "2", "16.66", "20%", "19.99", "39.98"],
    ]
    texts = [pdf_builder.Text(one.x, one.y - (one.y > 205) * 8, one.text, 9, one.right)
             for one in pdf_builder.table(200, edges, rows)]  # fmt: skip
    assert figures(read(pdf_builder.pdf(texts))) == [(5, 11, 55), (2, Decimal("19.99"), Decimal("39.98"))]


def test_prices_that_add_up_to_the_subtotal_are_amounts() -> None:
    lines = [["Pull saw 240 mm", "2", "£68.00"], ["Linseed oil", "3", "£33.75"]]
    sums = [("Subtotal", "£101.75"), ("VAT", "£20.35"), ("Total", "£122.10")]
    saw, oil = read(pdf_builder.quote(["Product", "Quantity", "Price"], lines, sums)).line_items
    assert (saw.unit_price, saw.amount) == (34, 68)
    assert (oil.unit_price, oil.amount) == (Decimal("11.25"), Decimal("33.75"))


def test_prices_that_multiply_to_the_subtotal_stay_prices() -> None:
    lines = [["Pull saw", "2", "£34.00"], ["Linseed oil", "3", "£11.25"]]
    extraction = read(
        pdf_builder.quote(
            ["Product", "Quantity", "Price"], lines, [("Subtotal", "£101.75"), ("Total", "£101.75")]
        )
    )
    assert [line.unit_price for line in extraction.line_items] == [34, Decimal("11.25")]


def test_a_discount_in_money_is_taken_off_the_line() -> None:
    header = ["Details", "Quantity", "Unit Price", "Disc Amt", "Net Amount"]
    lines = [["Sanding disc", "24.00", "14.20", "34.08", "306.72"],
             ["Nails", "10.00", "31.75", "0.00", "317.50"],
             ["Chisels", "2.50", "88.00", "11.00", "209.00"]]  # fmt: skip
    disc, nails, chisels = read(pdf_builder.quote(header, lines, [])).line_items
    assert (disc.unit_price, disc.list_unit_price, disc.discount_percent) == (
        Decimal("12.78"), Decimal("14.2"), 10,
    )  # fmt: skip
    assert (nails.unit_price, nails.discount_percent) == (Decimal("31.75"), None)
    assert (chisels.unit_price, chisels.discount_percent) == (Decimal("83.6"), 5)


def test_a_strip_of_sums_below_the_lines_is_no_line() -> None:
    edges = [(50.0, False), (250.0, True), (330.0, True), (420.0, True), (540.0, True)]
    lines = [["Description", "Qty", "", "Price", "Amount"], ["Lager, barrel", "14", "", "100.00", "1,400.00"],
             ["Water", "20", "", "5.00", "100.00"]]  # fmt: skip
    strip = [
        ["Net amount", "VAT %", "", "VAT amount", "Total EUR"],
        ["1,500.00", "21.00", "", "315.00", "1,815.00"],
    ]
    extraction = read(
        pdf_builder.pdf([*pdf_builder.table(200, edges, lines), *pdf_builder.table(500, edges, strip)])
    )
    assert figures(extraction) == [(14, 100, 1400), (20, 5, 100)]
    assert (extraction.net_total, extraction.tax_total, extraction.total) == (1500, 315, 1815)
