"""How a file writes dates and numbers: shown by a cell of it, stated, or not known."""

import sys
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from app.contract.imports import DateOrder, NumberFormat
from app.service.pricing.rates.files import ExchangeRate, read_rate_rows
from app.service.purchase_records import Purchase
from app.service.purchases.reading import number_purchases
from app.service.purchases.rows import PurchaseOptions
from app.service.table_files import questions
from app.service.table_files.exports import resolve_columns
from app.service.table_files.options import FileOptions
from app.service.table_files.questions import Questions
from app.service.table_files.reading import TableStart
from app.service.tables.table import RejectedRow, TableRow

COUPA_HEADER = ["order-header-id", "line-number", "description", "price", "quantity", "total", "currency"]
COUPA_HEADER += ["supplier", "order-date"]
XERO_HEADER = ["*ContactName", "*InvoiceNumber", "*InvoiceDate", "*Description", "*Quantity", "*UnitAmount"]
XERO_HEADER += ["Currency"]


def read(
    header: Sequence[str], dates: Sequence[str], order: DateOrder | None = None
) -> list[Purchase | RejectedRow]:
    coupa = ["1", "1", "Saw", "10", "2", "20", "USD", "Acme"]
    xero = ["Acme", "1", "", "Saw", "2", "10", "USD"]
    rows = [[*coupa, day] if header is COUPA_HEADER else [*xero[:2], day, *xero[3:]] for day in dates]
    mapping, ignore = resolve_columns(header, "purchases", {}, ())
    table = [(at, row) for at, row in enumerate([list(header), *rows], 1)]
    how = PurchaseOptions(FileOptions(mapping, ignore, date_order=order))
    return [row for _, row in number_purchases(iter(table), how)]


def list_days(rows: Sequence[Purchase | RejectedRow]) -> list[str]:
    return [row.reason if isinstance(row, RejectedRow) else row.purchase_date.isoformat() for row in rows]


@pytest.mark.parametrize("header", [COUPA_HEADER, XERO_HEADER], ids=["coupa", "xero"])
def test_the_order_of_an_export_is_shown_by_a_date_or_stated_and_never_guessed(header: list[str]) -> None:
    doubt = "is 3 April 2026 or 4 March 2026, and no date of the file shows which"
    refused, plain = list_days(read(header, ["03/04/2026", "2026-04-03"]))
    assert doubt in refused
    assert plain == "2026-04-03"
    assert list_days(read(header, ["03/04/2026", "25/04/2026"])) == ["2026-04-03", "2026-04-25"]
    assert list_days(read(header, ["03/04/2026", "04/25/2026"])) == ["2026-03-04", "2026-04-25"]
    assert list_days(read(header, ["03/04/2026"], "day_first")) == ["2026-04-03"]
    assert list_days(read(header, ["03/04/2026"], "month_first")) == ["2026-03-04"]
    contradiction = list_days(read(header, ["03/04/2026", "25/04/2026", "04/25/2026"]))
    assert doubt in contradiction[0]
    assert contradiction[1:] == ["2026-04-25", "2026-04-25"]


def test_the_first_date_that_shows_the_order_may_come_late() -> None:
    rows = read(COUPA_HEADER, ["03/04/2026"] * 5_000 + ["25/04/2026"])
    assert set(list_days(rows)) == {"2026-04-03", "2026-04-25"}


@pytest.mark.parametrize("letter", ["e", "é", "Ж", "\U0001f600"])
def test_a_file_is_read_ahead_within_a_bound_of_memory(letter: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(questions, "_MAX_KEPT_BYTES", 1 << 20)
    taken: list[int] = []

    def generate_rows() -> Iterator[TableRow | RejectedRow]:
        for number in range(10_000):
            cells = ["03/04/2026", f"{number}" + 1_000 * letter, *[""] * 20]
            row = RejectedRow(number, cells[1]) if number % 2 else (number, cells)
            taken.append(sum(map(sys.getsizeof, cells[:2])))
            yield row

    start = TableStart[Any]([], None, [], [(1, ["03/04/2026"])], generate_rows())
    _, rows = questions.find_notation(start, dates=[0], numbers=[])
    assert 500_000 < sum(taken) < (1 << 20) + 8_000
    assert sum(1 for _ in rows) == 10_001


def test_exchange_rates_ask_too() -> None:
    def read_rates(order: DateOrder | None) -> list[str]:
        rows = [(1, ["date", "currency", "rate"]), (2, ["03/04/2026", "USD", "1.1"])]
        found = read_rate_rows(iter(rows), FileOptions(date_order=order))
        return [one.day.isoformat() if isinstance(one, ExchangeRate) else one.reason for one in found]

    assert "no date of the file shows which" in read_rates(None)[0]
    assert read_rates("day_first") == ["2026-04-03"]


PLAIN = ["Date", "Supplier", "Product", "Quantity", "Unit price", "Currency"]


def read_cells(
    rows: Sequence[Sequence[str]],
    header: Sequence[str] = PLAIN,
    number_format: NumberFormat | None = None,
    currency: str = "USD",
) -> list[str]:
    """Return quantity, unit price and currency of each row of a file, or why it is refused."""
    width = len(header)
    cells = [["2025-03-05", "Norvale", "A", *row][:width] for row in rows]
    table = iter([(at, row) for at, row in enumerate([list(header), *cells], 1)])
    how = PurchaseOptions(FileOptions(number_format=number_format), currency)
    return [
        row.reason if isinstance(row, RejectedRow) else f"{row.quantity:f} {row.unit_price:f} {row.currency}"
        for _, row in number_purchases(table, how)
    ]


@pytest.mark.parametrize(
    ("prices", "read_as"),
    [
        (["0,285", "0,312"], ["0.285", "0.312"]),
        (["0.500", "12,50"], ["0.500", "12.50"]),
        (["1.250", "12,50"], ["1250", "12.50"]),
        (["1.250", "12.50"], ["1.250", "12.50"]),
        (["1,250", "0.285"], ["1250", "0.285"]),
        (["1'250.00", "1.250"], ["1250.00", "1.250"]),
        (["1,23,456.00", "1,250"], ["123456.00", "1250"]),
        (["1 250", "7"], ["1250", "7"]),
        (["1.250,-", "1.250"], ["1250", "1250"]),
    ],
)
def test_a_number_that_one_notation_allows_decides_for_its_file(
    prices: list[str], read_as: list[str]
) -> None:
    assert read_cells([["1", price, "EUR"] for price in prices]) == [f"1 {price} EUR" for price in read_as]


def test_a_file_that_shows_no_notation_is_refused_with_both_readings_unless_it_is_stated() -> None:
    rows = [["2", "1,000", "EUR"], ["1", "2,500", "EUR"], ["1", "7", "EUR"]]
    first, second, plain = read_cells(rows)
    assert "'1,000' is 1 or 1000, and no number of the file shows which" in first
    assert "'2,500' is 2.5 or 2500" in second
    assert plain == "1 7 EUR"
    assert read_cells(rows, number_format="point")[:2] == ["2 1000 EUR", "1 2500 EUR"]
    assert read_cells(rows, number_format="comma")[:2] == ["2 1.000 EUR", "1 2.500 EUR"]


def test_a_column_decides_before_the_file_and_contradictions_decide_nothing() -> None:
    both = read_cells([["0.500", "12,50", "EUR"], ["1.500", "1.250", "EUR"]])
    assert both == ["0.500 12.50 EUR", "1.500 1250 EUR"]
    mixed = read_cells([["1", "12,50", "EUR"], ["1", "12.50", "EUR"], ["1", "1.250", "EUR"]])
    assert mixed[:2] == ["1 12.50 EUR", "1 12.50 EUR"]
    assert "'1.250' is 1250 or 1.25" in mixed[2]


def test_a_number_that_decides_may_come_late() -> None:
    rows = [["1", "1.250", "EUR"]] * 3_000 + [["1", "0,5", "EUR"]]
    assert set(read_cells(rows)) == {"1 1250 EUR", "1 0.5 EUR"}


@pytest.mark.parametrize(
    ("price", "outcome"),
    [
        ("950,00-", "Unit price -950.00 is not above 0"),
        ("950.00 -", "Unit price -950.00 is not above 0"),
        ("950-EUR", "Unit price -950 is not above 0"),
        ("(950,00)", "Unit price -950.00 is not above 0"),
        ("‐950,00", "Unit price -950.00 is not above 0"),
        ("950,00 CR", "Unit price '950,00 CR': 'CR' may say credit, debit or crore"),
        ("12 50", "Unit price '12 50' is not a number"),
        ("#N/A", "Unit price is #N/A, the error of a formula"),
        ("12 %", "Unit price '12 %' is a percentage"),
        ("1,2 MIO", "1 1200000.0 EUR"),
        ("10 kg", "Unit price 10 kg names a unit"),
        ("$ 12", "Unit price is in $, and the row is in EUR"),
        ("€ 12", "1 12 EUR"),
    ],
)
def test_a_cell_is_read_whole_or_refused(price: str, outcome: str) -> None:
    assert read_cells([["1", price, "EUR"]]) == [outcome]


@pytest.mark.parametrize(
    ("price", "usual", "currency"),
    [
        ("€ 12", "USD", "EUR"),
        ("12 GBP", "USD", "GBP"),
        ("$ 12", "USD", "USD"),
        ("$ 12", "CAD", "CAD"),
        ("12", "CHF", "CHF"),
    ],
)
def test_a_price_names_the_currency_where_no_column_does(price: str, usual: str, currency: str) -> None:
    assert read_cells([["1", price]], PLAIN[:-1], currency=usual) == [f"1 12 {currency}"]


def test_a_sign_of_several_countries_is_refused_where_the_usual_currency_has_another() -> None:
    [kr, dollar] = read_cells([["1", "12 kr"], ["1", "$ 12"]], PLAIN[:-1], currency="EUR")
    assert "kr may be of several countries" in kr
    assert "$ may be of several countries" in dollar


@pytest.mark.parametrize(("quantity", "read_as"), [("10 PCS", "10"), ("10 Stk.", "10"), ("2,5", "2.5")])
def test_a_quantity_may_name_pieces(quantity: str, read_as: str) -> None:
    assert read_cells([[quantity, "7", "EUR"]]) == [f"{read_as} 7 EUR"]


def test_exchange_rates_and_years_of_two_digits_are_read() -> None:
    rows = [(1, ["Date", "GBP", "KWD"]), (2, ["05.03.24", "0,842", "0,335"])]
    found = [one for one in read_rate_rows(iter(rows)) if isinstance(one, ExchangeRate)]
    assert [(one.day.isoformat(), one.currency, one.rate) for one in found] == [
        ("2024-03-05", "GBP", 0.842),
        ("2024-03-05", "KWD", 0.335),
    ]


def list_first_values(
    rows: Sequence[Sequence[str]], header: Sequence[str]
) -> tuple[list[str], list[tuple[str, float] | str]]:
    """What is asked of a table, and the day and the price of each row, or why it is refused."""
    asked = Questions()
    table = [(at, list(row)) for at, row in enumerate([header, *rows], 1)]
    how = PurchaseOptions(FileOptions(currency="USD"), questions=asked)
    values: list[tuple[str, float] | str] = [
        row.reason if isinstance(row, RejectedRow) else (f"{row.purchase_date}", float(row.unit_price))
        for _, row in number_purchases(iter(table), how)
    ]
    return [one.name for one in asked.asked], values


@pytest.mark.parametrize(
    ("deliveries", "day"),
    [
        (["14/02/2026", "28/02/2026"], "2026-04-03"),
        (["02/14/2026", ""], "2026-03-04"),
        (["14/02/2026", "02/28/2026"], None),
        (["05/02/2026", "2026-02-28"], None),
        (["week 14", "14/02"], None),
    ],
)
def test_a_date_of_any_column_may_show_the_order_of_those_that_count(
    deliveries: list[str], day: str | None
) -> None:
    header = ["PO Date", "Delivery Date", "Vendor", "Item", "Unit price"]
    asked, rows = list_first_values([["03/04/2026", one, "Acme", "Oil", "31"] for one in deliveries], header)
    assert asked == ([] if day else ["date_order"])
    assert all(row == (day, 31.0) if day else "no date of the file shows which" in row for row in rows)


@pytest.mark.parametrize(
    ("header", "price"),
    [
        (["発注日", "仕入先名", "品名", "単価"], 4_800.0),
        (["日期", "供应商", "产品", "单价"], 4_800.0),
        (["주문일", "공급업체", "품명", "단가"], 4_800.0),
        (["Date", "Supplier", "Product", "Price"], None),
        (["Datum", "Lieferant", "Artikel", "Preis"], None),
    ],
)
def test_letters_whose_languages_part_decimals_by_a_point_ask_for_no_notation(
    header: list[str], price: float | None
) -> None:
    asked, rows = list_first_values([["2026-03-04", "Acme", "Oil", "4,800"]], header)
    assert asked == ([] if price else ["number_format"])
    assert rows == [("2026-03-04", price)] if price else "4.8 or 4800" in str(rows[0])
    shown = list_first_values(
        [["2026-03-04", "Acme", "Oil", "4,800"], ["2026-03-04", "B", "C", "3,5"]], header
    )
    assert [row[1] for row in shown[1]] == [4.8, 3.5]
