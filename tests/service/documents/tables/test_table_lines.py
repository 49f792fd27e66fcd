"""Which rows of a table are lines, and which rows of text belong to each."""

from decimal import Decimal

import pytest

from app.service.documents.extraction import LineItem
from app.service.documents.reading import read_document
from app.service.documents.tables.detection import find_tables
from app.service.documents.tables.table_lines import read_table_lines
from tests.service.documents.typewriter import type_document

HEADER = """
    Description            Qty    Price    Amount
"""


def lines(body: str, header: str = HEADER) -> list[LineItem]:
    return read_table_lines(find_tables(type_document(header.strip("\n") + body).rows))


def named(items: list[LineItem]) -> list[tuple[str | None, object]]:
    return [(item.description, item.amount) for item in items]


def test_lines_end_at_the_sums() -> None:
    assert named(lines("""
    Editor seats            10     5.00     50.00
    Viewer seats             2     1.50      3.00
    Subtotal                                53.00
    VAT 20%                                 10.60
    Total                                   63.60
    """)) == [("Editor seats", 50), ("Viewer seats", 3)]  # fmt: skip


def test_a_subtotal_among_the_lines_is_none_of_them() -> None:
    assert named(lines("""
    Editor seats            10     5.00     50.00
    Viewer seats             2     1.50      3.00
    Software                                53.00
    Onboarding               1    20.00     20.00
    """)) == [("Editor seats", 50), ("Viewer seats", 3), ("Onboarding", 20)]  # fmt: skip


def test_a_name_above_its_figures_is_their_description() -> None:
    assert named(lines("""
    Editor seats for the press
                            10     5.00     50.00

    Viewer seats for all others
                             2     1.50      3.00
    """)) == [("Editor seats for the press", 50), ("Viewer seats for all others", 3)]  # fmt: skip


def test_options_are_in_no_total() -> None:
    items = lines("""
    Editor seats            10     5.00     50.00
    Optional items
    Training                 1    20.00     20.00
    """)
    assert [item.optional for item in items] == [None, True]


def test_what_is_free_in_any_language_is_a_line() -> None:
    page = """
        Description      Qty      Price      Amount
        Camera             8     650.00    5,200.00
        Training           1       0.00    grazz fi
        Cable            220       6.50    1,430.00
    """
    assert [line.amount for line in lines(page)] == [5200, 0, 1430]
    assert [line.amount for line in lines(page.replace("0.00    grazz", "9.00    grazz"))] == [5200, 1430]


def test_a_discount_before_a_charge_among_the_lines_ends_them_not() -> None:
    page = """
    Valves                   4    25.00    100.00
    Gaskets                  2    10.00     20.00
    Discount 50 %                           60.00-
    Fuel surcharge                          12.00
    Notification                             8.00
    Total                                   80.00
    """
    assert [line.amount for line in lines(page)] == [100, 20, -60, 12, 8]
    assert [line.amount for line in lines(page.replace("    Discount", "         Discount"))] == [100, 20]


def test_freight_among_the_lines_is_one_and_carried_sums_are_none() -> None:
    assert named(lines("""
    Editor seats            10     5.00     50.00
    Carried forward                         50.00
    Freight                  1     9.00      9.00
    """)) == [("Editor seats", 50), ("Freight", 9)]  # fmt: skip


def test_a_page_number_is_no_line_where_amounts_have_cents() -> None:
    assert named(lines("""
    Editor seats            10     5.00     50.00
    Viewer seats             2     1.50      3.00
    Page                                        2
    """)) == [("Editor seats", 50), ("Viewer seats", 3)]  # fmt: skip


def test_what_a_table_of_monthly_prices_charges_once_is_not_paid_each_month() -> None:
    header = "    Description            Qty    Price per month    Amount\n"
    items = lines("""
    Editor seats            10          5.00            600.00
    Template pages           2         20.00             40.00
    """, header)  # fmt: skip
    assert [item.period_months for item in items] == [12, None]


def test_a_service_in_a_table_of_monthly_prices_is_not_paid_each_month() -> None:
    header = "    Description            Qty    Price per month    Amount\n"
    items = lines("""
    Editor seats            10          5.00             50.00
    Onboarding               1         20.00             20.00
    """, header)  # fmt: skip
    assert [item.period_months for item in items] == [1, None]


def test_a_credit_in_a_table_of_monthly_prices_is_given_once() -> None:
    header = "    Description            Qty    Price per month    Amount\n"
    items = lines("""
    Editor seats            10          5.00             50.00
    Unused licences          1        -20.00            -20.00
    """, header)  # fmt: skip
    assert [item.period_months for item in items] == [1, None]


def test_a_product_with_a_word_of_sums_in_its_name_is_a_line_like_the_others() -> None:
    header = """
    Code     Article               Maker       Price
"""
    assert [item.description for item in lines("""
    A-24001  Gauze ten by ten      Nube        420.00
    A-24002  Neutral gel           Eurolab     900.00
    A-24003  Gel base one litre    Eurolab     210.00
    A-24004  Total care lotion     Biosur      510.00
    """, header)] == [
        "Gauze ten by ten", "Neutral gel", "Gel base one litre", "Total care lotion",
    ]  # fmt: skip


def test_a_line_that_costs_as_much_as_those_before_it_is_one_where_it_fills_their_columns() -> None:
    header = """
    No.   Description        % of fee     Amount
"""
    assert [item.amount for item in lines("""
    1     Preparation              5%     6,162.50
    2     Concept design          15%    18,487.50
    3     Coordination            20%    24,650.00
    4     Technical design        35%    43,137.50
    """, header)] == [6162.5, 18487.5, 24650, 43137.5]  # fmt: skip


def test_a_row_named_total_is_none_however_many_figures_it_repeats() -> None:
    assert named(lines("""
    Glycerine               60   940.00  56400.00
    TOTAL                   60   940.00  56400.00
    """)) == [("Glycerine", 56400)]  # fmt: skip


def test_a_sum_that_is_stated_again_is_no_line() -> None:
    assert named(lines("""
    Editor seats            10     5.00     50.00
    Viewer seats             2     1.50      3.00
    Works                                   53.00
    Works that are tendered                 53.00
    Onboarding               1    20.00     20.00
    """)) == [("Editor seats", 50), ("Viewer seats", 3), ("Onboarding", 20)]  # fmt: skip


def test_what_words_say_of_a_price_is_no_line_beside_amounts_that_are_summed() -> None:
    header = """
    Item          Time             Estimated cost    Duration
"""
    assert named(lines("""
    Web site      90                     60000.00    Once
    Application   75                     35000.00    Once
    Domain        20   $120 only for the first year  Yearly
    Hosting       30         $900 to $1,800 a month  Monthly
    Total                                95000.00
    """, header)) == [("Web site", 60000), ("Application", 35000)]  # fmt: skip


def test_positions_of_a_bill_of_quantities_are_named_above_their_figures_in_each_part() -> None:
    items = lines("""
    01 Scaffold
    01.0010 Scaffold up to 6 m, four
    weeks
                           420     9.80    4116.00
    01.0020 Each further week
    Optional
                           420     0.85    rate only
    Total 01 Scaffold                      4116.00
    02 Painting
    02.0010 Fill and sand walls
                           780    11.45    8931.00
    Total 02 Painting                      8931.00
    """)  # fmt: skip
    assert [(item.description, item.amount, item.optional) for item in items] == [
        ("01.0010 Scaffold up to 6 m, four", 4116, None),
        ("01.0020 Each further week", None, True),
        ("02.0010 Fill and sand walls", 8931, None),
    ]


def test_where_no_column_holds_amounts_a_word_for_a_charge_names_a_line() -> None:
    rates = lines("""
    Rental of a skip       month       68.00
    Transport per trip     piece      129.50
    Disposal of wood       tonne       42.00
    """, header="""
    Service                Unit       Price
""")  # fmt: skip
    assert [one.unit_price for one in rates] == [68, Decimal("129.5"), 42]


@pytest.mark.parametrize("label", ["Transport", "Report page 1"])
def test_what_is_carried_to_the_next_page_is_no_line(label: str) -> None:
    assert named(lines(f"""
    Sièges                  10     5.00     50.00
    {label:<20}                            50.00
    """)) == [("Sièges", 50)]  # fmt: skip


def test_lines_without_a_column_of_money_say_how_many() -> None:
    said = read_document(b"Delivery,Acme Ltd\n\nItem,Description,Qty\n7,Desk,12\n8,Chair,6\n", "note.csv")
    assert [(one.description, one.quantity, one.amount) for one in said.line_items] == [
        ("Desk", 12, None),
        ("Chair", 6, None),
    ]
    assert "The lines state no prices." in said.warnings


@pytest.mark.parametrize("heading", ["Options", "Opsjoner", "选配"])
def test_what_stands_below_a_heading_of_options_behind_the_sum_is_optional(heading: str) -> None:
    items = lines(f"""
    Editor seats            10     5.00     50.00
    Viewer seats             2     1.50      3.00
    Total                                   53.00
    {heading}
    Onboarding                              20.00
    Training                                30.00
    """)
    assert [(one.amount, one.optional) for one in items] == [(50, None), (3, None), (20, True), (30, True)]


def test_a_net_price_without_a_known_header_is_told_by_the_list_price_and_its_discount() -> None:
    table = "Código,Artículo,Ud.,PVP €,Dto. %,Neto €\n10,Disco,ud,1.95,40,1.17\n12,Guante,par,2.40,25,1.80\n"
    items = read_document(f"Tarifa,Acme S.L.\n\n{table}".encode(), "tarifa.csv").line_items
    assert [one.unit_price for one in items] == [Decimal("1.17"), Decimal("1.80")]
