import gzip
import io
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from pathlib import Path
from types import MappingProxyType

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from openpyxl import Workbook

from app.service.purchase_records import Purchase, digest_purchase
from app.service.purchases.reading import read_purchases
from app.service.purchases.rows import PurchaseOptions
from app.service.table_files.options import FileOptions
from app.service.tables.lines import MAX_LINE_CHARACTERS
from app.service.tables.table import RejectedRow, UnreadableTable

HEADER = "purchase_date,supplier,product,quantity,unit,unit_price,total_price,currency"
GOOD = "2024-03-05,Acme,Widget,2,each,10.50,21.00,USD"


def read(
    *lines: str,
    header: str = HEADER,
    mapping: Mapping[str, str] = MappingProxyType({}),
    ignore: Sequence[str] = (),
    **how: bool,
) -> list[Purchase | RejectedRow]:
    text = "\n".join([header, *lines]) + "\n"
    options = PurchaseOptions(FileOptions(mapping, ignore), **how)  # type: ignore[arg-type]
    return list(read_purchases(io.BytesIO(text.encode()), options))


def only(rows: list[Purchase | RejectedRow]) -> Purchase:
    (row,) = rows
    assert isinstance(row, Purchase), row
    return row


def rejected(rows: list[Purchase | RejectedRow]) -> list[tuple[int, str]]:
    return [(row.line, row.reason) for row in rows if isinstance(row, RejectedRow)]


def test_a_row_becomes_a_purchase() -> None:
    purchase = only(read(GOOD))
    assert purchase.purchase_date == date(2024, 3, 5)
    assert (purchase.supplier, purchase.product, purchase.unit) == ("Acme", "Widget", "each")
    assert (purchase.quantity, purchase.unit_price, purchase.total_price) == (
        Decimal(2),
        Decimal("10.50"),
        Decimal("21.00"),
    )
    assert (purchase.price_period, purchase.term_months, purchase.purchase_type) == ("once", None, None)


def test_columns_are_found_by_synonym_in_any_case() -> None:
    header = "PO Date;Vendor Name;Item;QTY;Price;Currency Code"
    purchase = only(read("05.03.2024;Acme;Widget;3;1.234,50;EUR", header=header))
    assert (purchase.supplier, purchase.unit_price, purchase.currency) == ("Acme", Decimal("1234.50"), "EUR")
    assert purchase.total_price == Decimal("3703.50")


@pytest.mark.parametrize(
    ("headings", "row", "price", "listed"),
    [
        ("unit_price,list_price,Price unit", "240,250,100", "2.4", "2.5"),
        ("unit_price,list_price,Price unit", "240,250,", "240", "250"),
        ("unit_price,list_price,Price unit", "240,2.5,100", "2.4", "2.5"),
        ("Price per 100,list_price", "240,250", "2.4", "2.5"),
        ("unit_price,list_price,price_period,term_months", "30,40,quarter,12", "120", "160"),
        ("Total price,list_price,Price unit", "480,250,100", "2.4", "2.5"),
        ("Price incl VAT,Total incl VAT,Tax,list_price", "2.4,480,80,3", "2", "2.5"),
    ],
)
def test_a_list_price_is_in_the_terms_of_the_price(headings: str, row: str, price: str, listed: str) -> None:
    header = f"purchase_date,supplier,product,quantity,currency,{headings}"
    purchase = only(read(f"2024-03-05,Acme,Widget,200,USD,{row}", header=header))
    assert (purchase.unit_price, purchase.list_price) == (Decimal(price), Decimal(listed))


def test_a_mapped_column_wins_over_a_synonym() -> None:
    header = "date,vendor,item,price,real price"
    purchase = only(read("2024-03-05,Acme,Widget,9,10", header=header, mapping={"unit_price": "real price"}))
    assert purchase.unit_price == 10
    assert purchase.attributes == {}, "another price is no reason for this one"


def test_every_other_column_is_an_attribute_unless_ignored() -> None:
    header = HEADER + ",Region,Seats per Pack,zip,note"
    purchase = only(read(GOOD + ",EMEA,25,01234,internal", header=header, ignore=["note"]))
    assert purchase.attributes == {"region": "EMEA", "seats_per_pack": 25.0, "zip": "01234"}


def test_a_column_that_repeats_the_order_number_is_no_attribute() -> None:
    header = HEADER + ",order_id,group"
    assert only(read(GOOD + ",A-1,A-1", header=header)).attributes == {}


@pytest.mark.parametrize(
    ("period", "term", "total"),
    [("month", "24", 504), ("year", "24", 42), ("term", "24", 21), ("once", "24", 21)],
)
def test_the_total_is_for_the_whole_term(period: str, term: str, total: int) -> None:
    header = "purchase_date,supplier,product,quantity,unit_price,term_months,price_period"
    purchase = only(read(f"2024-03-05,Acme,Widget,2,10.50,{term},{period}", header=header))
    assert purchase.total_price == total


def test_no_period_stated_means_the_term_where_there_is_one() -> None:
    header = "purchase_date,supplier,product,unit_price,term_months"
    assert only(read("2024-03-05,Acme,Widget,10,12", header=header)).price_period == "term"
    assert only(read("2024-03-05,Acme,Widget,10,", header=header)).price_period == "once"


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("2024-03-05,Acme,Widget,2,each,-10.50,21,USD", "unit_price -10.50 is not above 0"),
        ("2024-03-05,Acme,Widget,2,each,0,0,USD", "unit_price 0 is not above 0"),
        ("2024-03-05,Acme,Widget,0,each,10,20,USD", "quantity 0 is not above 0"),
        ("2024-03-05,Acme,Widget,2,each,=1+1,20,USD", "unit_price is a formula, not a value"),
        ("2024-03-05,Acme,=HYPERLINK(1),2,each,1,20,USD", "product is a formula, not a value"),
        ("2023-02-29,Acme,Widget,2,each,10,20,USD", "purchase_date '2023-02-29' is a date that the calendar"),
        ("soon,Acme,Widget,2,each,10,20,USD", "purchase_date 'soon' is not a date"),
        (",Acme,Widget,2,each,10,20,USD", "purchase_date is missing"),
        ("2024-03-05,,Widget,2,each,10,20,USD", "supplier is missing"),
        ("2024-03-05,Acme,Widget,2,each,ten,20,USD", "unit_price 'ten' is not a number"),
        ("2024-03-05,Acme,Widget,2,each,,,USD", "unit_price is missing"),
        ("2024-03-05,Acme,Widget,2,each,10,20,kr", "currency kr may be of several countries"),
        ("2024-03-05,Acme,Widget,2,each,1000000000000,20,USD", "unit_price is not below 10^12"),
        (
            "2024-03-05,Acme,Widget,0.0000000000001,each,1,2,USD",
            "quantity 0.0000000000001 is closer to 0 than",
        ),
        ("2024-03-05,Acme,Widget,2,each,1e-29,2,USD", "unit_price 1e-29 is closer to 0 than 0.000000000001"),
        ("2024-03-05,Acme,Widget,2,each,10,20,USD,left,over", "10 cells where the header has 8"),
    ],
)
def test_a_bad_row_is_reported_by_line_and_the_rest_is_read(row: str, reason: str) -> None:
    rows = read(GOOD, row, GOOD)
    assert [isinstance(row, Purchase) for row in rows] == [True, False, True]
    ((line, message),) = rejected(rows)
    assert line == 3
    assert message.startswith(reason)


def test_the_unit_price_is_worked_out_from_the_total() -> None:
    assert only(read("2024-03-05,Acme,Widget,4,each,,21,USD")).unit_price == Decimal("5.25")


def test_three_ways_of_writing_a_date_are_read_in_one_file() -> None:
    rows = read(*(f"{day},Acme,Widget,1,each,1,1,USD" for day in ("2024-03-25", "25.03.2024", "03/25/2024")))
    assert {row.purchase_date for row in rows if isinstance(row, Purchase)} == {date(2024, 3, 25)}


def test_an_open_thousands_separator_follows_the_rest_of_the_file() -> None:
    header = HEADER.replace(",", ";")
    rows = read(
        "2024-03-05;Acme;Widget;1;each;1.234;;USD", "2024-03-05;Acme;Widget;1;each;9,50;;USD", header=header
    )
    assert [row.unit_price for row in rows if isinstance(row, Purchase)] == [Decimal(1234), Decimal("9.50")]


def test_a_quoted_cell_may_contain_separators_and_line_breaks() -> None:
    rows = read('2024-03-05,"Acme, Inc.","Widget\nlarge",1,each,1,1,USD', "nonsense")
    assert isinstance(rows[0], Purchase)
    assert rows[0].product == "Widget\nlarge"
    assert rejected(rows)[0][0] == 4


@pytest.mark.campaign
def test_an_endless_line_is_reported_and_never_loaded() -> None:
    class Endless(io.RawIOBase):
        """A good row, 100 MB without a line break, a good row."""

        def __init__(self) -> None:
            self.largest = 0
            self._parts = self._pieces()
            self._rest = b""

        @staticmethod
        def _pieces() -> Iterator[bytes]:
            yield f"{HEADER}\n{GOOD}\n".encode()
            for _ in range(100):
                yield b"x" * (1 << 20)
            yield f"\n{GOOD}\n".encode()

        def readable(self) -> bool:
            return True

        def seek(self, offset: int, whence: int = 0) -> int:
            self._parts, self._rest = self._pieces(), b""
            return 0

        def read(self, size: int = -1) -> bytes:
            self.largest = max(self.largest, size)
            if not self._rest:
                self._rest = next(self._parts, b"")
            piece, self._rest = self._rest[:size], self._rest[size:]
            return piece

    stream = Endless()
    rows = list(read_purchases(stream))  # type: ignore[arg-type]
    assert [type(row) for row in rows].count(Purchase) == 2
    assert rejected(rows) == [(3, "is longer than 1 MiB")]
    assert stream.largest <= MAX_LINE_CHARACTERS


def test_an_open_quote_costs_its_own_lines_only() -> None:
    rows = read(GOOD, '2024-03-05,"Acme,Widget,1,each,1,1,USD', *[GOOD] * 8_000)
    assert [line for line, _ in rejected(rows)] == [3]
    assert sum(isinstance(row, Purchase) for row in rows) == 8_001


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "the file is empty"),
        (b",,\n1,2,3\n", "no header row"),
        (b"a,b,c\n1,2,3\n", "no column for purchase_date, supplier, product, unit_price"),
        (b"date,supplier,product,price,Price\n", "no column for unit_price"),
        (b"x" * (2 << 20), "line 1 is longer"),
        (b"\x00\x01\x02\x03binary", "neither CSV"),
        (b"\x1f\x8bnot gzip at all", "gzip"),
        (b"PK\x03\x04not a zip", "zip"),
        (b"PAR1not parquet", "Parquet"),
    ],
)
def test_an_unreadable_file_is_refused_with_one_sentence(content: bytes, reason: str) -> None:
    with pytest.raises(UnreadableTable, match=reason) as refused:
        list(read_purchases(io.BytesIO(content)))
    assert "\n" not in str(refused.value)


def test_a_mapping_to_an_unknown_column_is_refused() -> None:
    with pytest.raises(UnreadableTable, match="no column 'cost'"):
        read(GOOD, mapping={"unit_price": "cost"})
    with pytest.raises(UnreadableTable, match="no field"):
        read(GOOD, mapping={"cost": "unit_price"})
    with pytest.raises(UnreadableTable, match="to ignore"):
        read(GOOD, ignore=["nothing"])


def test_gzip_is_recognised_by_content_and_a_truncated_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "purchases.dat"
    packed = gzip.compress("\n".join([HEADER, *[GOOD] * 5_000]).encode())
    path.write_bytes(packed)
    assert len(list(read_purchases(path))) == 5_000
    path.write_bytes(packed[:-20])
    with pytest.raises(UnreadableTable, match="damaged"):
        list(read_purchases(path))


def workbook(*rows: Sequence[object]) -> io.BytesIO:
    book = Workbook()
    for row in rows:
        book.active.append(list(row))  # type: ignore[union-attr]
    stream = io.BytesIO()
    book.save(stream)
    stream.seek(0)
    return stream


def test_a_workbook_is_read_with_its_types() -> None:
    stream = workbook(HEADER.split(","), [date(2024, 3, 5), "Acme", "Widget", 2, "each", 10.5, 21, "USD"])
    purchase = only(list(read_purchases(stream)))
    assert (purchase.purchase_date, purchase.unit_price) == (date(2024, 3, 5), Decimal("10.5"))


def test_a_formula_without_a_result_is_reckoned_or_reported_by_row() -> None:
    stream = workbook(
        HEADER.split(","),
        ["2024-03-05", "Acme", "Widget", 2, "each", "=RAND()", 21, "USD"],
        ["2024-03-05", "Acme", "Widget", 2, "each", 10.5, "=D3*F3", "USD"],
    )
    rows = list(read_purchases(stream))
    [(line, reason)] = rejected(rows)
    assert (line, reason.split(":")[0]) == (2, "unit_price is a formula without a result")
    assert isinstance(rows[1], Purchase)
    assert rows[1].total_price == 21


@pytest.mark.campaign
def test_a_zip_bomb_is_refused_before_it_is_opened() -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", "<workbook/>")
        with archive.open("xl/worksheets/sheet1.xml", "w", force_zip64=True) as sheet:
            for _ in range(64):
                sheet.write(b"0" * (1 << 20))
    stream.seek(0)
    with pytest.raises(UnreadableTable, match="unpacks to"):
        list(read_purchases(stream))


def test_a_parquet_file_is_read_with_its_types(tmp_path: Path) -> None:
    table = pa.table(
        {
            "purchase_date": [date(2024, 3, 5), None],
            "supplier": ["Acme", "Acme"],
            "product": ["Widget", "Widget"],
            "unit_price": [10.5, 11.0],
            "storage_gb": [5, 7],
        }
    )
    path = tmp_path / "purchases.parquet"
    pq.write_table(table, path)
    rows = list(read_purchases(path))
    assert isinstance(rows[0], Purchase)
    assert (rows[0].unit_price, rows[0].attributes) == (Decimal("10.5"), {"storage_gb": 5.0})
    assert rejected(rows) == [(3, "purchase_date is missing")]


def test_a_purchase_is_recognised_by_what_identifies_it() -> None:
    once, again = only(read(GOOD)), only(read(GOOD.replace("10.50", "10.5")))
    other = only(read(GOOD.replace("Widget", "Gadget")))
    assert digest_purchase(once) == digest_purchase(again) != digest_purchase(other)


def test_withheld_prices_are_never_read() -> None:
    header = HEADER + ",region"
    rows = read("2024-03-05,Acme,Widget,2,each,=nonsense,-5,USD,EMEA", header=header, withhold_prices=True)
    purchase = only(rows)
    assert purchase.unit_price.is_nan()
    assert purchase.total_price.is_nan()
    assert purchase.attributes == {"region": "EMEA"}


def test_a_lenient_reader_takes_a_row_without_date_or_quantity() -> None:
    purchase = only(read(",Acme,Widget,none,each,5,,USD", lenient=True))
    assert (purchase.purchase_date, purchase.quantity) == (date(1970, 1, 1), 1)
