"""Write tables as CSV and as workbooks, a row at a time."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from io import StringIO
from typing import IO

import xlsxwriter  # pyright: ignore[reportMissingTypeStubs]

Row = Sequence[str | Decimal | date | None]

CSV_TYPE = "text/csv; charset=utf-8"
XLSX_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
_BYTE_ORDER_MARK = "\ufeff"  # Excel needs it to read UTF-8
_DIGITS_OF_A_DOUBLE = 15


def write_csv(rows: Iterable[Row]) -> Iterator[bytes]:
    """Yield a file in pieces, one for each row."""
    out = StringIO(_BYTE_ORDER_MARK, newline="")
    out.seek(0, 2)
    writer = csv.writer(out)
    for row in rows:
        writer.writerow([_write_cell(cell) for cell in row])
        yield out.getvalue().encode()
        out.seek(0)
        out.truncate()


def write_workbook(out: IO[bytes], title: str, rows: Iterable[Row], made_at: datetime) -> None:
    """Write a workbook of one sheet, the headings first. Every text is written as text, a date as a date, and
    a number as one where Excel holds all of its digits."""
    options = {
        "constant_memory": True,
        "strings_to_numbers": False,
        "strings_to_formulas": False,
        "strings_to_urls": False,
    }
    book = xlsxwriter.Workbook(out, options)
    book.set_properties({"created": made_at.replace(tzinfo=None)})  # pyright: ignore[reportUnknownMemberType]
    bold = book.add_format({"bold": True})  # pyright: ignore[reportUnknownMemberType]
    day = book.add_format({"num_format": "yyyy-mm-dd"})  # pyright: ignore[reportUnknownMemberType]
    sheet = book.add_worksheet(title)  # pyright: ignore[reportUnknownMemberType]
    sheet.freeze_panes(1, 0)
    for number, row in enumerate(rows):
        if number == 0:
            for at, cell in enumerate(row):
                sheet.set_column(at, at, max(12, len(str(cell)) + 2))
        for at, cell in enumerate(row):
            if isinstance(cell, date):
                sheet.write_datetime(number, at, datetime.combine(cell, time()), day)
            elif isinstance(cell, Decimal) and len(cell.as_tuple().digits) <= _DIGITS_OF_A_DOUBLE:
                sheet.write_number(number, at, float(cell))
            elif cell is not None:
                sheet.write_string(number, at, _write_cell(cell), bold if number == 0 else None)
    book.close()


def _write_cell(cell: str | Decimal | date | None) -> str:
    """Return a cell as text; a number with a point and all of its digits. One of three decimals gets a
    fourth, since 1.234 is a thousand elsewhere."""
    if not isinstance(cell, Decimal):
        return cell.isoformat() if isinstance(cell, date) else cell or ""
    whole, _, decimals = f"{cell:f}".partition(".")
    decimals = decimals.rstrip("0")
    return f"{whole}.{decimals}{'0' * (len(decimals) == 3)}" if decimals else whole
