"""Lists that somebody typed: numbered, with prices per unit behind dashes, and with charges below."""

from decimal import Decimal

import pytest

from app.service.documents.pipeline import read_pages
from app.service.documents.reading import read_document
from tests.service.documents.typewriter import type_page

LISTS = {
    "1. Headphones - Model X1 - 500 Units - $25.00/Unit - Total: $12,500.00": (
        "Headphones - Model X1",
        500,
        25,
    ),
    "1. Headphones - 500 pcs - USD 25.00 per pc - USD 12,500.00": ("Headphones", 500, 25),
    "1. Kopfhörer - 500 Stück - 25,00 €/Stück - 12.500,00 €": ("Kopfhörer", 500, 25),
    "1. Hosting (1 year) - 2 units @ $500/unit = $1,000.00": ("Hosting (1 year)", 2, 500),
    "1) Hosting [basic] - 2 x $500.00 = $1,000.00": ("Hosting [basic]", 2, 500),
    "1. Laptop 14 Inch - 2 unit x Rp 15.000.000 = Rp 30.000.000": ("Laptop 14 Inch", 2, 15_000_000),
}
SECOND = "2. Setup of all of it - 1 x 100.00 = 100.00"


@pytest.mark.parametrize("line", LISTS)
def test_a_line_of_a_list_is_read_with_its_name_and_without_its_number(line: str) -> None:
    name, quantity, price = LISTS[line]
    second = SECOND.replace("100.00", "100,00" if "€" in line else "100" if "Rp" in line else "100.00")
    read = read_document(f"INVOICE No. 4711\n\n{line}\n{second}\n".encode(), "invoice.txt").line_items
    assert [(one.description, one.quantity, one.unit_price) for one in read[:1]] == [(name, quantity, price)]
    assert [one.description for one in read[1:]] == ["Setup of all of it"]


@pytest.mark.parametrize(
    ("charges", "tax"),
    [
        ({"Shipping": "25.00"}, "20.00"),
        ({"Freight": "20.00", "Handling fee": "5.00"}, "20.00"),
        ({"Shipping & handling": "25.00"}, None),
        ({"Versandkosten": "25.00"}, "20.00"),
        ({"Surcharge 12.5%": "25.00"}, "20.00"),
        ({"Packing & Forwarding": "25.00"}, "20.00"),
    ],
)
def test_charges_below_the_lines_that_the_total_holds_are_lines(
    charges: dict[str, str], tax: str | None
) -> None:
    total = 225 + float(tax or 0)
    text = [
        "INVOICE No. 4711", "", "Description          Qty    Unit price    Amount",
        "Laptop stand         2      $50.00        $100.00",
        "Monitor arm          1      $100.00       $100.00",
        "", "Subtotal:                                  $200.00",
        *([f"Tax (10%):                                 ${tax}"] if tax else []),
        *(f"{name}:{' ' * (42 - len(name))}${amount}" for name, amount in charges.items()),
        f"Total amount due:                          ${total:.2f}",
    ]  # fmt: skip
    read = read_document("\n".join(text).encode(), "invoice.txt")
    assert {one.description: one.amount for one in read.line_items[2:]} == {
        name: float(amount) for name, amount in charges.items()
    }
    assert (read.net_total, read.total) == (225, total)


def test_all_that_stands_between_two_sums_are_lines_where_some_are_charges() -> None:
    head = "Invoice 4711\n\nItem          Qty    Rate    Amount\nRed towel     100    1.20    120.00\n"
    items = head + "Blue mat        8    4.00     32.00\n\nSubtotal                     152.00\n"
    charges = "Service charge                15.00\nLoss and ruin                 42.00\n"
    read = read_document(f"{items}{charges}Tax 10%  20.90\nTotal  229.90".encode(), "invoice.txt")
    assert [one.amount for one in read.line_items] == [120, 32, 15, 42]


@pytest.mark.parametrize("boxes", [("Totale merce", "Spese trasporto"), ("Goods", "Freight")])
def test_a_charge_in_a_box_below_its_label_is_a_line(boxes: tuple[str, str]) -> None:
    strip = "".join(f"{one:18}" for one in (*boxes, "Imponibile", "Imposta", "Totale documento"))
    page = f"""
        Description          Qty    Unit price    Amount
        Laptop stand           2         50.00    100.00
        Monitor arm            1        100.00    100.00


        {strip}
        200.00            25.00             225.00            22.50             247.50
    """
    read = read_pages([type_page(page)], "quote.pdf")
    assert [(one.description, one.amount) for one in read.line_items[2:]] == [(boxes[1], 25)]
    assert (read.net_total, read.tax_total, read.total) == (225, Decimal("22.5"), Decimal("247.5"))


@pytest.mark.parametrize(
    ("line", "values"),
    [
        ("Discovery phase: fixed fee of GBP 12,000", ("Discovery phase", 1, 12_000, 12_000, None)),
        ("Build phase: 15 days at GBP 800 per day (GBP 12,000)", ("Build phase", 15, 800, 12_000, None)),
    ],
)
def test_fees_that_are_written_out_and_add_up_are_lines(line: str, values: tuple[object, ...]) -> None:
    text = f"Statement of Work\n\nFees\n{line}\nTravel: GBP 500\n\nTotal fees: GBP 12,500 excluding VAT\n"
    first, second = read_document(text.encode(), "sow.txt").line_items
    read = (first.description, first.quantity, first.unit_price, first.amount, first.period_months)
    assert (read, second.amount) == (values, 500)


@pytest.mark.parametrize("first", ["Ocean freight to Tallinn", "Crating"])
def test_a_total_that_holds_charges_below_the_one_of_the_lines_is_the_one(first: str) -> None:
    text = [
        "PROFORMA INVOICE No. 4711", "", "Description          Qty    Unit price    Amount",
        "Claw hammer          1,200  2.35          2,820.00",
        "Screwdriver          800    3.10          2,480.00",
        "TOTAL                2,000                5,300.00",
        f"{first}{' ' * (42 - len(first))}640.00", "Insurance                                 35.00",
        "GRAND TOTAL CIF TALLINN                   5,975.00",
    ]  # fmt: skip
    read = read_document("\n".join(text).encode(), "invoice.txt")
    assert [(one.description, one.amount) for one in read.line_items[2:]] == [(first, 640), ("Insurance", 35)]
    assert (read.net_total, read.total) == (5975, 5975)


def test_what_is_due_holds_a_second_list_below_the_sum_of_the_first() -> None:
    text = [
        "INVOICE No. 4711", "", "Date        Description          Hours  Rate    Amount",
        "08/04/25    Review lease         2.50   420.00  1,050.00",
        "08/19/25    Draft amendment      6.00   280.00  1,680.00",
        "            Total fees           8.50           2,730.00", "", "Disbursements",
        "08/20/25    Filing fee                          35.00",
        "            Total disbursements                 35.00",
        "            Total due                           2,765.00",
    ]  # fmt: skip
    read = read_document("\n".join(text).encode(), "invoice.txt")
    assert [one.description for one in read.line_items] == ["Review lease", "Draft amendment", "Filing fee"]
    assert read.total == 2765


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("HÓA ĐƠN GIÁ TRỊ GIA TĂNG\nSố hóa đơn: 0000123", "invoice"),
        ("ĐƠN ĐẶT HÀNG\nSố: 0000123", "order"),
        ("Faktura nr: 0000123\nCena brutto po", "invoice"),
        ("P.O. # 0000123", "order"),
    ],
)
def test_the_title_tells_the_kind_and_the_number(title: str, kind: str) -> None:
    read = read_document(f"{title}\n\nSeats  2  5.00  10.00\nTotal 10.00\n".encode(), "a.txt")
    assert (read.kind, read.document_number) == (kind, "0000123")


@pytest.mark.parametrize(
    "mark", ["- {}: ${}", "• {}: ${}", "{} - ${}", "{}: USD {}", "* {} = ${}", "{}  ${}"]
)
def test_what_a_list_names_with_its_amount_is_a_line_where_a_total_proves_it(mark: str) -> None:
    bought = {"Web development (x4)": "45,000.00", "UI design": "15,000.00", "Hosting": "5,000.00"}
    lines = [mark.format(name, amount) for name, amount in bought.items()]
    text = ["INVOICE No. 4711", "", *lines, "", "Subtotal: $65,000.00", "Tax (18%): $11,700.00"]
    read = read_document("\n".join([*text, "Total due: $76,700.00"]).encode(), "invoice.txt")
    found = [(one.description, one.amount) for one in read.line_items]
    assert found == [(name, float(amount.replace(",", ""))) for name, amount in bought.items()]


@pytest.mark.parametrize("line", ["1. Hosting - 2 Months: $1,600.00", "IT consulting - 5 hours: $1,600.00"])
def test_a_unit_is_never_the_name_of_what_is_sold(line: str) -> None:
    text = f"INVOICE No. 4711\n\n{line}\nSet-up - 1 day: $150.00\n\nSubtotal: $1,750.00\nTotal: $1,750.00\n"
    read = read_document(text.encode(), "invoice.txt")
    assert all(
        len(str(one.description).split()) > 1 or one.description == "Set-up" for one in read.line_items
    )


def test_no_line_is_called_by_the_label_of_a_sum() -> None:
    text = (
        "INVOICE No. 4711\n\nSubscription: Enterprise\nUsers included: 50\nCost per user: $4,000\n\n"
        "Subtotal: $200,000\nGST (18%): $36,000\nTotal payable: $236,000\n"
    )
    names = [one.description or "" for one in read_document(text.encode(), "invoice.txt").line_items]
    assert not [name for name in names if "otal" in name]


@pytest.mark.parametrize(
    ("text", "currency"),
    [
        ("Currency: EUR\nHex bolt M8x40 DIN 933  500  0.12  60.00\nTotal  60.00", "EUR"),
        ("Währung: EUR\nSechskantschraube DIN 933  500  0,12  60,00\nSumme  60,00", "EUR"),
        ("Invoice currency: CHF\nHosting PHP 8  2  30.00  60.00\nTotal  60.00", "CHF"),
        ("Zavrtanj  500  0,12  60,00 din.\nUkupno  60,00 din.", "RSD"),
    ],
)
def test_the_currency_is_the_one_that_is_stated_and_no_standard(text: str, currency: str) -> None:
    assert read_document(f"INVOICE No. 4711\n\n{text}\n".encode(), "a.txt").currency == currency


def test_a_number_that_is_part_of_a_name_stays() -> None:
    text = (
        "INVOICE No. 4711\n\nItem  Amount\nOffice 365  365.00\nN2 gas cylinder  100.00\n3 mm bolts  35.00\n"
        "Total  500.00\n"
    )
    read = read_document(text.encode(), "a.txt").line_items
    assert [one.description for one in read] == ["Office 365", "N2 gas cylinder", "3 mm bolts"]


def test_one_thing_before_the_sum_that_costs_what_is_missing_is_a_doubtful_line() -> None:
    text = (
        "Quote 7\n\nBelt, 4 pcs at 20.00 EUR, total 80.00 EUR\nRoller, 2 pcs at 60.00 EUR, total 120.00 EUR\n"
    )
    read = read_document(f"{text}Matkakulut 25.00 EUR\n\nTotal 225.00 EUR\n".encode(), "quote.txt")
    last = read.line_items[-1]
    assert (len(read.line_items), last.description, last.amount) == (3, "Matkakulut", 25)
    assert (
        len(read_document(f"{text}Matkakulut 26.00 EUR\n\nTotal 225.00 EUR\n".encode(), "q.txt").line_items)
        == 2
    )


@pytest.mark.parametrize(
    ("name", "count", "thing"),
    [("Team licence × 11", 11, "Team licence"), ("11 x Team licence", 11, "Team licence"),
     ("Panel 60 x 40", 1, "Panel 60 x 40"), ("Extra storage 500 GB × 2", 2, "Extra storage 500 GB")],
)  # fmt: skip
def test_the_name_of_an_amount_may_say_how_many_it_is_for(name: str, count: int, thing: str) -> None:
    page = f"Receipt 4711\n\n{name}   $264.00\nSet-up   $36.00\nTotal   $300.00\n"
    [line, _] = read_document(page.encode(), "receipt.txt").line_items
    assert (line.description, line.quantity, line.amount) == (thing, count, 264)


def test_a_numbered_charge_belongs_to_the_lines_above_it() -> None:
    page = (
        "Quote 4711\n\n1) Conveyor belt 300mm 4 pcs x $18.50 = $74.00\n2) Roller 10 pcs x $6.20 = $62.00\n"
        "3) Freight $30.00\nSubtotal $166.00\nTax 10% $16.60\nTotal $182.60\n"
    )
    lines = read_document(page.encode(), "quote.txt").line_items
    assert [(line.description, line.amount) for line in lines] == [
        ("Conveyor belt", 74), ("Roller", 62), ("Freight", 30),
    ]  # fmt: skip


def test_of_an_old_and_a_new_price_the_new_one_is_read() -> None:
    page = (
        "Verlenging 4711\n\n- Onderhoud ketel: van € 1.250,00 naar € 1.290,00 per jaar\n"
        "- Onderhoud airco: van € 95,00 naar € 98,04 per jaar\n"
    )
    lines = read_document(page.encode(), "brief.txt").line_items
    assert [(line.description, line.amount) for line in lines] == [
        ("Onderhoud ketel", 1290), ("Onderhoud airco", Decimal("98.04")),
    ]  # fmt: skip


def test_the_thing_above_with_a_price_of_its_own_names_no_other() -> None:
    text = (
        "ANGEBOT Nr. 4711\n\nPos. 1: Montage pauschal 1.250,00 EUR\n"
        "Pos. 2: 2 Stk. Steuerung DALI, je 420,00 EUR, gesamt 840,00 EUR\n\n"
        "Nettosumme 2.090,00 EUR\nzzgl. 19 % MwSt. 397,10 EUR\nGesamt 2.487,10 EUR\n"
    )
    read = read_document(text.encode(), "angebot.txt").line_items
    assert [one.description for one in read] == ["Montage pauschal", "Steuerung DALI"]
