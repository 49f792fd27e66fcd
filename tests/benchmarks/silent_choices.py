"""How many values an import would put on record that are not those of the file, and that nobody is asked
about: real purchases, as they are and as strangers would have written them."""

import csv
import gzip
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import openpyxl

from app.service.values.blanks import is_blank
from tests.benchmarks.figures import Figure
from tests.service.imports.dry_reading import look_at
from tests.shared_material import shared

FIELDS = (
    "purchase_date",
    "supplier",
    "product",
    "quantity",
    "unit_price",
    "total_price",
    "currency",
    "order_id",
)
ON_RECORD = ("date", "supplier", "product", "quantity", "unitPrice", "amount", "currency", "orderId")
Row = Mapping[str, str]


@dataclass(frozen=True)
class Manner:
    """How somebody writes a table: headings of `FIELDS`, a day, a number and an amount of money; what a
    person answers to what it leaves open."""

    headings: Sequence[str]
    day: Callable[[date], Any]
    number: Callable[[Decimal], Any]
    money: Callable[[Decimal, str], Any]
    delimiter: str = ","
    encoding: str = "utf-8"
    is_workbook: bool = False
    answers: Sequence[tuple[str, str]] = ()

    def write(self, rows: Sequence[Row]) -> bytes:
        """Return the file."""
        table = [[name for name in self.headings if name], *map(self._write_row, rows)]
        if self.is_workbook:
            return _write_workbook(table)
        text = io.StringIO()
        csv.writer(text, delimiter=self.delimiter).writerows(table)
        return text.getvalue().encode(self.encoding)

    def _write_row(self, row: Row) -> list[Any]:
        cells = {
            **row,
            "purchase_date": row["purchase_date"] and self.day(date.fromisoformat(row["purchase_date"])),
        }
        cells["quantity"] = self.number(Decimal(row["quantity"]))
        for name in ("unit_price", "total_price"):
            cells[name] = self.money(Decimal(row[name]), row["currency"]) if row.get(name) else ""
        return [cells.get(name, "") for name, heading in zip(FIELDS, self.headings, strict=True) if heading]


def _group(mark: str, point: str) -> Callable[[Decimal], str]:
    return lambda number: f"{number:,f}".replace(",", "\0").replace(".", point).replace("\0", mark)


_GERMAN, _FRENCH, _SWISS = _group(".", ","), _group("\u202f", ","), _group("'", ".")
_ENGLISH = FIELDS
MANNERS: Mapping[str, Manner] = {
    "as they are": Manner(_ENGLISH, date.isoformat, str, lambda amount, _: str(amount)),
    "German": Manner(
        ("Bestelldatum", "Lieferant", "Artikelbezeichnung", "Menge", "Einzelpreis netto", "Gesamtpreis netto",
         "Währung", "Bestellnummer"),
        lambda day: f"{day:%d.%m.%Y}", _GERMAN, lambda amount, _: _GERMAN(amount), ";", "cp1252",
    ),
    "French": Manner(
        ("Date de commande", "Fournisseur", "Désignation", "Qté", "P.U. HT", "Montant HT", "", "N° commande"),
        lambda day: f"{day:%d/%m/%Y}", _FRENCH, lambda amount, code: f"{_FRENCH(amount)} {code}", ";",
    ),
    "American": Manner(
        ("PO Date", "Vendor Name", "Item Description", "Qty", "Unit Price", "Ext. Price", "", "PO Number"),
        lambda day: f"{day.month}/{day.day}/{day:%y}", lambda number: f"{number:,f}",
        lambda amount, _: f"${amount:,f}", answers=(("currency", "USD"),),
    ),
    "Swiss": Manner(
        ("Datum", "Kreditor", "Bezeichnung", "Anzahl", "Preis/Stk.", "Betrag", "Whg", "Auftragsnummer"),
        lambda day: f"{day.day}. {day.month}. {day.year}", _SWISS,
        lambda amount, code: f"{code} {_SWISS(amount)}",
        "\t", "utf-16",
    ),
    "workbook": Manner(
        ("Fecha de compra", "Proveedor", "Producto", "Cantidad", "Precio unitario", "Importe total", "Moneda",
         "N.º de pedido"),
        lambda day: day, float, lambda amount, _: float(amount), is_workbook=True,
    ),
}  # fmt: skip


def run(full: bool) -> list[Figure]:
    """For `python -m tests.benchmarks`."""
    figures: list[Figure] = []
    for source in ("gsa-it-labor-rates", "gsa-os2", "usaid-scms", "wvu-purchase-orders"):
        rows = list(_read(shared("data") / source / "purchases.csv.gz"))
        for name, manner in MANNERS.items():
            figures += measure(f"{source}, {name}", rows if full else rows[:200], manner)
    return figures


def measure(subject: str, rows: Sequence[Row], manner: Manner) -> list[Figure]:
    """Import rows that are written in a manner, and compare what would be on record with what they say."""
    rows = [row for row in rows if _can_encode(row, manner.encoding)]
    about, found = look_at(manner.write(rows), "purchases", **dict(manner.answers))
    asked = {question["name"] for question in about["asks"]}
    refused = sum("refused" in row for row in found)
    wrong = [
        (at, name, row.get(name), value)
        for at, (row, said) in enumerate(zip(found, rows, strict=True))
        if "refused" not in row
        for name, value in _list_values(said).items()
        if not _is_asked(name, asked) and not _is_same(row.get(name), value)
    ]
    note = f"{len(found):,} rows, {refused:,} refused, asked: {', '.join(sorted(asked)) or 'nothing'}"
    note += "".join(f"; {one}" for one in wrong[:3]) + (
        f"; missing {about['missing']}" if about["missing"] else ""
    )
    return [
        Figure(f"silent choices, {subject}", "wrong", len(wrong), "values", at_most=0, note=note),
        Figure(
            f"silent choices, {subject}", "read", (len(found) - refused) / len(rows), "of rows", at_least=0.95
        ),
    ]


def _can_encode(row: Row, encoding: str) -> bool:
    try:
        return bool("".join(row.values()).encode(encoding))
    except UnicodeEncodeError:
        return False


def _is_asked(name: str, asked: set[str]) -> bool:
    by = {
        "date": "date_order",
        "quantity": "number_format",
        "unitPrice": "number_format",
        "amount": "number_format",
    }
    return (name if name == "currency" else by.get(name)) in asked


def _list_values(row: Row) -> dict[str, Any]:
    quantity, price = Decimal(row["quantity"]), Decimal(row["unit_price"])
    values = [None if is_blank(row.get(name, "")) else row[name] for name in FIELDS]
    found = dict(zip(ON_RECORD, values, strict=True))
    total = Decimal(row["total_price"]) if row.get("total_price") else quantity * price
    return {**found, "quantity": quantity, "unitPrice": price, "amount": total}


def _is_same(found: object, said: object) -> bool:
    if isinstance(said, Decimal):
        return isinstance(found, float) and abs(Decimal(str(found)) - said) <= abs(said) / 10**9
    return (str(found).split() if found else []) == (str(said).split() if said else [])


def _read(path: Path) -> Iterator[Row]:
    with gzip.open(path, "rt", encoding="utf-8", newline="") as text:
        yield from csv.DictReader(text)


def _write_workbook(table: Sequence[Sequence[Any]]) -> bytes:
    book, stream = openpyxl.Workbook(write_only=True), io.BytesIO()
    sheet = book.create_sheet("Pedidos")
    for row in table:
        sheet.append(row)
    book.save(stream)
    return stream.getvalue()
