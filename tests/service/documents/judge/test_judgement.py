"""What two readers read, weighed against arithmetic: which values are taken, which are certain, and what is
warned about."""

from dataclasses import replace
from decimal import Decimal

import pytest

from app.service.documents.extraction import LineItem
from app.service.documents.fields.totals import Totals
from app.service.documents.judge.case import prepare_case
from app.service.documents.judge.judgement import Judgement, judge
from app.service.documents.judge.line_check import LineCheck
from app.service.documents.judge.printed_figures import PrintedFigures
from app.service.documents.judge.readings import Reading, sum_lines
from app.service.documents.judge.sentences import describe_lines, describe_sums
from app.service.documents.layout.document import Document
from app.service.documents.pipeline import read_pages
from app.service.documents.reading import read_document
from tests.service.documents.typewriter import type_document, type_page

LINES = """
    Description          Qty      Price      Amount
    Editor seats          10     150.00    1,500.00
    Viewer seats          20      10.00      200.00
"""
UNKNOWN_WORDS = """
    Subtotaal Zwurb                        1,700.00
    Grazz 20%                                340.00
    Plovus                                 2,040.00
"""


def read(text: str) -> Judgement:
    extraction = read_pages([type_page(text)], "quote.pdf")
    totals = Totals(extraction.net_total, extraction.tax_total, extraction.total)
    return Judgement(
        extraction.line_items, replace(totals, provenance=dict(extraction.provenance)), extraction.warnings
    )


def test_sums_that_close_are_certain_and_carry_no_warning() -> None:
    judged = read(LINES + "Subtotal  1,700.00\nVAT 20%  340.00\nTotal  2,040.00")
    places = judged.totals.provenance
    assert [places[name].verified for name in ("net_total", "tax_total", "total")] == [True] * 3
    assert judged.warnings == ()


@pytest.mark.parametrize(
    ("below", "is_said"),
    [
        ("Total before tax  1,700.00\nBalance before tax  500.00\nVAT 20%  100.00\nTotal  600.00", False),
        ("Balance before tax  500.00\nVAT 20%  100.00\nTotal  600.00", True),
    ],
)
def test_lines_that_a_named_sum_closes_need_not_make_up_what_is_left_to_pay(
    below: str, *, is_said: bool
) -> None:
    judged = read(LINES + below)
    assert (sum_lines(judged.items), judged.totals.net) == (1700, 500)
    assert bool(judged.warnings) == is_said


def test_a_total_under_words_that_nobody_knows_is_found_by_adding_up() -> None:
    judged = read(LINES + UNKNOWN_WORDS)
    assert (judged.totals.net, judged.totals.tax, judged.totals.total) == (1700, 340, 2040)
    assert judged.totals.provenance["total"].box is not None


def test_a_total_that_the_lines_and_the_tax_contradict_is_doubtful_with_both_values() -> None:
    judged = read(LINES + "Subtotal  1,700.00\nVAT 20%  340.00\nTotal  2,400.00")
    assert judged.totals.total == 2400
    assert not judged.totals.provenance["total"].verified
    assert (
        "The total is read as 2,400, but the price before tax of 1,700 and the tax of 340 add up to 2,040."
        in judged.warnings
    )


def test_a_line_that_does_not_multiply_is_named_with_both_values() -> None:
    judged = read(LINES.replace("1,500.00", "1,550.00") + "Total  1,750.00")
    assert "Line 1 (Editor seats): 10 × 150 is 1,500, but the amount is read as 1,550." in judged.warnings
    assert [line.provenance["quantity"].verified for line in judged.items] == [False, True]


@pytest.mark.parametrize(("percent", "is_said"), [("10.00", False), ("11.00", True)])
def test_a_discount_in_the_row_of_a_line_explains_its_amount(percent: str, *, is_said: bool) -> None:
    lines = f"""
    Description          Qty      Price    Zwurb    Amount
    Editor seats       12.00       9.80    {percent}    105.84
    Viewer seats      100.00       0.92               92.00
    Reader seats       48.00       3.15    15.00    128.52
    """
    said = "Line 1 (Editor seats): 12 × 9.80 is 117.60, but the amount is read as 105.84."
    warnings = read(f"{lines.rstrip()}\n    Total                                       326.36").warnings
    assert (said in warnings, bool(warnings)) == (is_said, is_said)


def test_a_total_that_a_line_and_its_tax_make_is_not_said_to_be_alone() -> None:
    page = "{0}\n    Description      Licences    Net Amount        GST    Total Paid\n"
    page += "    Renewal                 3     21,600.00   3,888.00     25,488.00\n"
    assert not any("nothing else on the page" in one for one in read(page.format("GST invoice")).warnings)


@pytest.mark.parametrize(
    "labels", [("Total", "Tax", "Grand total"), ("Brutto", "Mehrwertsteuer", "Netto inkl. MWST")]
)
def test_a_larger_total_beside_a_tax_is_taken_though_they_do_not_add_up(labels: tuple[str, str, str]) -> None:
    """A misprint, or a charge that was not read."""
    sums = ("1,700.00", "147.80", "1,947.80")
    judged = read(LINES + "".join(f"    {label:30}{sum}\n" for label, sum in zip(labels, sums, strict=True)))
    assert judged.totals.total == Decimal("1947.80")
    assert not judged.totals.provenance["total"].verified
    assert judged.warnings[0] == (
        "The total is read as 1,947.80, but the price before tax of 1,700 and the tax of 147.80 add up to"
        " 1,847.80."
    )


@pytest.mark.parametrize(("tax", "larger"), [("155,453,440", "1,947.80"), ("147.80", "170,000.00")])
def test_what_can_be_no_tax_or_no_total_of_the_lines_is_not_taken_for_them(tax: str, larger: str) -> None:
    """The number of a registration, and a total whose decimal mark a scan has lost."""
    sums = (("Total", "1,700.00"), ("GST", tax), ("Total", larger))
    judged = read(LINES + "".join(f"    {label:30}{sum}\n" for label, sum in sums))
    assert judged.totals.total == 1700


def test_a_tax_in_the_row_of_a_line_is_said_where_no_sum_names_it() -> None:
    lines = (
        "    Item     Qty      Price      GST      Amount\n    Pump      64      52.50       5     3,528.00\n"
    )
    lines += "    Hose     120      22.50       0     2,700.00\n"
    said = "Line 1 (Pump): 64 × 52.50 is 3,360, but the amount is read as 3,528."
    assert said in read(f"{lines}Total  6,228.00").warnings
    assert said not in read(f"{lines}Subtotal  6,060.00\nGST  168.00\nTotal  6,228.00").warnings


def test_a_printed_subtotal_that_the_other_sums_contradict_is_said() -> None:
    said = "The price before tax is printed as 1,600, but the other sums make 1,700, which is taken."
    assert said in read(LINES + "Subtotal  1,600.00\nVAT 20%  340.00\nTotal  2,040.00").warnings
    charged = read(LINES + "Shipping  1  50.00  50.00\nSubtotal  1,700.00\nVAT 20%  350.00\nTotal  2,100.00")
    assert not any("is printed as" in one for one in charged.warnings)


@pytest.mark.campaign
def test_a_line_without_a_period_is_not_divided_by_a_year() -> None:
    judged = read(LINES.replace("20      10.00      200.00", "20     240.00      400.00") + "Total  1,900.00")
    assert "Line 2 (Viewer seats): 20 × 240 is 4,800, but the amount is read as 400." in judged.warnings
    assert not judged.items[1].provenance["quantity"].verified


def test_the_product_of_a_line_for_a_period_names_the_period() -> None:
    item = LineItem("Seats", Decimal(10), None, Decimal(15), Decimal(3500), period_months=24)
    check = LineCheck(False, False, None, frozenset(), False, False)
    [said] = describe_lines([item], [check], Totals(), PrintedFigures([]))
    assert said == "Line 1 (Seats): 10 × 15 × 24 months is 3,600, but the amount is read as 3,500."
    others = [replace(item, price_basis_quantity=Decimal(5), amount=Decimal(70))]
    [said] = describe_lines(others, [check], Totals(), PrintedFigures([]))
    assert said == "Line 1 (Seats): 10 × 15 per 5 × 2 years is 60, but the amount is read as 70."


@pytest.mark.parametrize(
    ("row", "is_said"),
    [
        ("Seats  10  10.00  108.00", False),
        ("Seats  10  10.00  108.50", True),
        ("Seats  10  10.00  4  400.00", False),
        ("Seats  10  10.00  4  410.00", True),
        ("Seats returned  10  10.00  -100.00", False),
    ],
)
def test_a_line_that_multiplies_with_the_tax_or_a_number_of_its_row_is_no_doubt(
    row: str, is_said: bool
) -> None:
    document = type_document(row)
    *_, last = document.rows[0].cells()
    places = {"amount": last.locate(0.7)}
    item = LineItem("Seats", Decimal(10), None, Decimal(10), Decimal(last.text), provenance=places)
    totals = Totals(Decimal(200), Decimal(16), Decimal(216))
    check = LineCheck(False, False, None, frozenset(), False, False)
    said = [*describe_lines([item], [check], totals, PrintedFigures(document.rows))]
    assert bool(said) == is_said


def test_an_amount_for_which_no_sum_product_or_header_speaks_is_not_certain() -> None:
    document = type_document("Deposit  960.00")
    amount = document.rows[0].cells()[-1].locate(0.7)
    one = Decimal(960)
    both = Reading([LineItem("Deposit", Decimal(1), None, one, one, provenance={"amount": amount})])
    assert not judge(prepare_case(document, both, both)).items[0].provenance["amount"].verified


def test_a_quantity_that_several_lines_share_and_that_multiplies_with_none_is_not_certain() -> None:
    judged = read("""
        Product   Metric  Qty  Year 1      Year 2      Total
        Platform  Users   250  $45,000.00  $46,800.00  $91,800.00
        Add-on    Users    40  $9,600.00   $9,984.00   $19,584.00
        Total                  $54,600.00  $56,784.00  $111,384.00
    """)
    assert not any(item.provenance["amount"].verified for item in judged.items)


def test_a_total_without_lines_is_warned_about_and_lines_without_a_total_are_not() -> None:
    assert not read(LINES).warnings
    assert "A total of 2,040 was read, but no lines." in read("Total  2,040.00").warnings


def test_a_net_that_follows_from_other_sums_has_no_box_and_is_not_certain() -> None:
    judged = read("Total incl. VAT  2,040.00\nVAT 20%  340.00")
    assert judged.totals.net == 1700
    assert judged.totals.provenance["net_total"].box is None
    assert not judged.totals.provenance["net_total"].verified


def test_a_price_that_was_computed_from_the_amount_proves_nothing() -> None:
    document = type_document("Editor seats  10  1,550.00\nTotal  1,550.00")
    place = document.rows[0].cells()[-1].locate(0.7)
    count = document.rows[0].cells()[1].locate(0.7)
    item = LineItem("Editor seats", Decimal(10), None, Decimal(155), Decimal("1550.00"))
    item = replace(item, provenance={"amount": place, "quantity": count})
    case = prepare_case(document, Reading([item]), None)
    assert case.checks[0].multiplies
    assert not case.checks[0].is_proven


def test_the_number_of_another_line_proves_nothing() -> None:
    document = type_document("2  Projector  1,164.00  3,492.00\n3  Desk  1.00  2.00\nTotal  3,494.00")
    above, below = (row.cells() for row in document.rows[:2])
    places = {"quantity": below[0], "unit_price": above[2], "amount": above[3]}
    projector = LineItem(
        "Projector", Decimal(3), None, Decimal("1164.00"), Decimal("3492.00"),
        provenance={name: cell.locate(0.7) for name, cell in places.items()},
    )  # fmt: skip
    desk = LineItem("Desk", None, None, Decimal(1), Decimal(2), provenance={"amount": below[3].locate(0.7)})
    alone = prepare_case(document, Reading([projector]), None)
    together = prepare_case(document, Reading([projector, desk]), None)
    assert [case.checks[0].is_proven for case in (alone, together)] == [True, False]


@pytest.mark.parametrize(
    ("row", "total"),
    [
        ("Supplier keeps professional indemnity insurance of 2,000,000.00 for the term", None),
        ("Zwurb  2,000,000.00", 2_000_000),
    ],
)
def test_a_figure_of_a_sentence_that_the_lines_contradict_is_no_total(row: str, total: int | None) -> None:
    document = type_document(f"Monthly fee  3,825.00\n{row}")
    fee, other = (row.cells()[-1].locate(0.9) for row in document.rows)
    whole = Totals(Decimal(2_000_000), None, Decimal(2_000_000), provenance={"total": other})
    item = LineItem("Fee", Decimal(1), None, Decimal(3825), Decimal(3825), provenance={"amount": fee})
    case = prepare_case(document, Reading([item]), Reading([], whole, {"total": 1.0}))
    assert case.totals.total == total


def test_a_net_that_is_only_the_total_again_is_not_certain() -> None:
    judged = read(LINES + "Total  1,700.00")
    places = judged.totals.provenance
    assert (judged.totals.net, judged.totals.total) == (1700, 1700)
    assert [places[name].verified for name in ("net_total", "total")] == [False, True]


def test_a_net_is_not_certain_where_another_reading_means_the_one_before_the_discount() -> None:
    sums = "Subtotal  1,700.00\nDiscount  -200.00\nNet  1,500.00\nVAT 20%  300.00\nTotal  1,800.00"
    document, learned = readings(sums)
    assert (learned.totals.net, learned.totals.discount) == (1500, 200)
    other = replace(learned, totals=replace(learned.totals, net=Decimal(1700), discount=Decimal(0)))
    certain = [
        judge(prepare_case(document, learned, one)).totals.provenance["net_total"].verified
        for one in (learned, other)
    ]
    assert certain == [True, False]


def test_a_line_for_which_only_addition_speaks_is_not_certain() -> None:
    text = "Insurance  1,000.00\nTotal of goods  1,000.00\nDuty on insurance  163.40\nTotal  1,163.40"
    document = type_document(text)
    amounts = [document.rows[order].cells()[-1].locate(0.9) for order in (0, 2)]
    items = [
        LineItem(None, Decimal(1), None, value, value, provenance={"amount": place})
        for value, place in zip((Decimal("1000.00"), Decimal("163.40")), amounts, strict=True)
    ]
    total = document.rows[3].cells()[-1].locate(0.9)
    totals = Totals(Decimal("1163.40"), None, Decimal("1163.40"), provenance={"total": total})
    judged = judge(prepare_case(document, Reading((), totals), Reading(items, totals)))
    assert [item.amount for item in judged.items] == [Decimal("1000.00"), Decimal("163.40")]
    assert not any(item.provenance["amount"].verified for item in judged.items)


def test_a_quantity_beside_another_with_which_the_row_multiplies_is_doubtful() -> None:
    document = type_document("Editor seats  12  53  125.00  79,500.00\nTotal  79,500.00")
    cells = document.rows[0].cells()
    item = LineItem(
        "Editor seats", Decimal(12), None, Decimal("125.00"), Decimal("79500.00"), period_months=53
    )
    names = {"quantity": 1, "unit_price": 3, "amount": 4}
    item = replace(item, provenance={name: cells[index].locate(0.7) for name, index in names.items()})
    judged = judge(prepare_case(document, Reading([item]), None))
    assert not judged.items[0].provenance["quantity"].verified


def test_two_lines_with_the_same_amount_figure_are_named() -> None:
    document = type_document("Editor seats  10  150.00  1,500.00")
    place = document.rows[0].cells()[-1].locate(0.7)
    item = LineItem(
        "Editor seats", Decimal(1), None, Decimal(1500), Decimal(1500), provenance={"amount": place}
    )
    judged = judge(prepare_case(document, Reading([item, item]), None))
    assert "The lines 1, 2 take their amounts from the same figure." in judged.warnings
    assert not any(line.provenance["amount"].verified for line in judged.items)


def line(document: Document, quantity: str, months: int) -> LineItem:
    """The line of `Editor seats  12  53  125.00  79,500.00`, read with one of its numbers as the quantity."""
    cells = document.rows[0].cells()
    columns = {"quantity": 1 if quantity == "12" else 2, "unit_price": 3, "amount": 4}
    return LineItem(
        "Editor seats", Decimal(quantity), None, Decimal("125.00"), Decimal("79500.00"), period_months=months,
        provenance={name: cells[index].locate(0.7) for name, index in columns.items()},
    )  # fmt: skip


def test_readers_that_differ_make_a_value_doubtful_with_both_readings() -> None:
    document = type_document("Editor seats  12  53  125.00  79,500.00\nTotal  79,500.00")
    one, other = line(document, "12", 53), line(document, "53", 12)
    judged = judge(prepare_case(document, Reading([one]), Reading([other])))
    assert not judged.items[0].provenance["quantity"].verified
    assert "Line 1 (Editor seats): the quantity is read as 12, but it may also be 53." in judged.warnings


def test_a_reading_that_does_not_multiply_is_no_reason_to_doubt_one_that_does() -> None:
    document = type_document("Editor seats  12  53  125.00  79,500.00\nTotal  79,500.00")
    one, other = line(document, "12", 53), replace(line(document, "53", 12), quantity=Decimal(5))
    judged = judge(prepare_case(document, Reading([one]), Reading([other])))
    assert not any("may also be" in warning for warning in judged.warnings)


def readings(
    sums: str = "Subtotal  1,700.00\nVAT 20%  340.00\nTotal  2,040.00",
) -> tuple[Document, Reading]:
    """A document with two lines, and its right reading."""
    document = type_document(LINES + sums)
    extraction = read_pages(document.pages, "quote.pdf")
    net, tax, total = extraction.net_total, extraction.tax_total, extraction.total
    discount = (sum_lines(extraction.line_items) or Decimal(0)) - (net or 0)
    totals = Totals(net, tax, total, discount)
    names = ("net_total", "tax_total", "total")
    places = {name: place for name in names if (place := extraction.provenance.get(name))}
    return document, Reading(extraction.line_items, replace(totals, provenance=places))


def test_lines_of_the_learned_reader_are_taken_where_only_they_make_the_net() -> None:
    document, learned = readings()
    rules = Reading(learned.items[:1], learned.totals)
    assert len(judge(prepare_case(document, rules, learned)).items) == 2


def test_a_line_that_one_reader_read_alone_is_warned_about() -> None:
    document, right = readings()
    wrong = replace(right.totals, net=Decimal(1800), tax=None, total=Decimal(1800), provenance={})
    case = prepare_case(document, Reading(right.items[:1], wrong), Reading(right.items[1:], wrong))
    assert any("There may be a further line of 1,500" in warning for warning in judge(case).warnings) or any(
        "There may be a further line of 200" in warning for warning in judge(case).warnings
    )


def test_lines_of_an_amount_alone_are_said_once_and_not_where_they_make_the_net() -> None:
    lines = "Description          Amount\nSetting up           900.00\nTraining             300.00\n"
    said = [one for one in read(lines + "Total  2,000.00").warnings if "only its amount" in one]
    assert len(said) <= 1
    assert not any("only its amount" in one for one in read(lines + "Total  1,200.00").warnings)


def test_the_gross_amount_of_a_line_is_no_further_line() -> None:
    page = "Item        pcs      Net price     Net total     Gross total\n"
    page += "Gate          1       8,400.00      8,400.00      10,332.00\n"
    page += "Door          2       1,900.00      3,800.00       4,674.00\n"
    assert not any("further line" in one for one in read(page).warnings)


@pytest.mark.parametrize(
    ("total", "is_said"), [("2040.00", False), ("2091.00", False), ("2043.00", True), ("1500.00", True)]
)
def test_a_total_that_holds_a_tax_of_a_usual_rate_is_no_contradiction(total: str, is_said: bool) -> None:
    """A tax of 20 or 23 % that is printed nowhere, and what is of no rate."""
    totals = Totals(Decimal(1700), None, Decimal(total))
    said = [*describe_sums(totals, (), PrintedFigures([]))]
    assert [one for one in said if "no tax make" in one] == said
    assert bool(said) is is_said


@pytest.mark.parametrize(
    ("text", "is_said"),
    [
        ("The fee is 85.000 Ft", True),
        ("Havi 85.000,- Ft + ÁFA", True),
        ("Pipes of 850 ft", False),
        ("The fee is agreed on", False),
    ],
)
def test_prices_without_lines_are_said_whatever_their_sign(text: str, is_said: bool) -> None:
    assert ("The document shows prices, but no lines were read." in read(text).warnings) is is_said


def test_a_limit_of_a_contract_is_no_total() -> None:
    judged = read("""
        SERVICE AGREEMENT
        Each party's total liability shall not exceed the greater of (A) the fees paid in
        the year before the claim, or (B) two hundred thousand dollars ($200,000).
    """)
    assert judged.totals.total is None


def test_a_total_of_one_lot_is_doubtful_beside_a_larger_one_that_closes() -> None:
    lots = "Lot {}   net  {}   VAT 5 %  {}   gross  {}"
    one, two = lots.format(1, "84,210.00", "4,210.50", "88,420.50"), "Total net  31,640.00\nVAT 5 %  1,582.00"
    judged = read(f"{one}\n\nLot 2\n{two}\nTotal  33,222.00")
    assert not judged.totals.provenance["total"].verified
    assert read(f"{two}\nTotal  33,222.00").totals.provenance["total"].verified


def test_a_line_of_nothing_is_doubtful() -> None:
    judged = read(LINES + "    Waiting time          0      50.00        0.00\nTotal  1,700.00")
    amounts = [(item.amount, item.provenance["amount"].verified) for item in judged.items]
    assert amounts == [(1500, True), (200, True), (0, False)]


def test_a_quantity_that_one_reader_alone_found_is_taken_where_it_multiplies() -> None:
    judged = read(
        """
        Qty  Particulars                   @        Amount
        24  Breaker                   485.00     11,640.00
        6   Contactor               3,950.00     23,700.00
        300 Cable twin with earth     168.50     50,550.00
        Total                                    85,890.00
        """
    )
    assert [item.quantity for item in judged.items] == [24, 6, 300]


def test_a_factor_that_may_be_a_rate_of_exchange_is_doubtful() -> None:
    judged = read(
        """
        Charge              Basis    Rate    Cur   Ex. rate   Amount USD
        Air freight         480 kg    4.15   USD     1.0000     1,992.00
        Fuel surcharge      480 kg    1.20   USD     1.0000       576.00
        Pick up             1 trip  780.00   HKD     0.1280        99.84
        Total due USD                                           2,667.84
        """
    )
    *_, last = judged.items
    assert not any(one.verified for name, one in last.provenance.items() if name != "amount")


def test_a_price_in_hundredths_multiplies_as_printed() -> None:
    judged = read("Day  3,200 kWh x 25.50p   £816.00\nNight  1,000 kWh x 10.00p   £100.00\nTotal   £916.00")
    assert [item.provenance["quantity"].verified for item in judged.items] == [True, True]
    assert not judged.warnings


def test_the_row_of_a_tax_is_no_line_whatever_it_is_called() -> None:
    judged = read(LINES + "Net    1,700.00\nZwurb of sales 20%    340.00\nTotal    2,040.00")
    assert [item.amount for item in judged.items] == [1500, 200]


def test_a_line_that_multiplies_among_others_that_do_not_may_do_so_by_chance() -> None:
    """Eight hours with the price of a day of eight hours."""
    judged = read("""
        Equipment         Minimum    Hourly    Per day
        Small crane           4      295.00   2,360.00
        Large crane           8      520.00   4,160.00
        Rigger                4       98.00     784.00
    """)
    assert not any(place.verified for item in judged.items for place in item.provenance.values())


def test_what_multiplies_is_not_surely_paid_where_no_sum_and_no_header_says_so() -> None:
    """The price of a day of eight hours, beside that of an hour."""
    rates = """
        Equipment         Hours    Hourly    Daily rate
        Small crane           8    295.00      2,360.00
        Large crane           8    520.00      4,160.00
    """
    for text, is_sure in ((rates, False), (f"{rates}\nTotal   6,520.00", True)):
        places = [item.provenance["amount"] for item in read(text).items]
        assert [place.verified for place in places] == [is_sure] * 2


def test_a_price_without_a_quantity_that_is_not_the_amount_is_never_certain() -> None:
    judged = read("""
        Route          LR No.    Wt (MT)   Rate/MT   Detention    Amount
        Lyon-Metz       20418      16.20     1,450          0    23,490
        Lyon-Dole       20431      21.50     1,980      2,000    44,570
        Lyon-Agen       20447      24.00     2,150          0    51,600
        Lyon-Metz       20466      15.80     1,450      1,500    24,410
        Total                                                   144,070
    """)
    for item in judged.items:
        price = item.provenance.get("unit_price")
        assert price is None or not price.verified or item.quantity is not None


def test_a_total_is_not_certain_where_more_is_to_be_paid() -> None:
    fees = """
        Study of the file, 4 h at 220.00           880.00
        Summons                                  1,450.00
        Total fees                               2,330.00
        VAT 20%                                    466.00
        Total of fees with VAT                   2,796.00
        Bailiff                                     87.42
    """
    judged = read(f"{fees}\nTotal to pay   2,883.42")
    assert (judged.totals.total, judged.totals.provenance["total"].verified) == (2796, False)
    assert "The total is read as 2,796, but it may also be 2,883.42." in judged.warnings
    assert read(fees).totals.provenance["total"].verified


def test_a_tax_that_is_too_high_for_the_net_is_said() -> None:
    lines = "Item,Qty,Unit price,Amount\nKey,10,12.50,125.00\nSubtotal,,,125.00\nVAT,,,90.00\nTotal,,,215.00"
    read = read_document(f"Quote Q-1\n\n{lines}".encode(), "quote.csv")
    assert "A tax of 90 does not fit the price before tax of 125." in read.warnings
