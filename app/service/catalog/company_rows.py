"""Read rows of a catalog file into companies. Pure."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from typing import cast

from app.service.catalog.names import domain_key
from app.service.catalog.rows import CompanyDetails, StockSymbolRecord
from app.service.table_files.columns import reject_row
from app.service.table_files.field_matching import ColumnUse, MatchedFields, match_fields
from app.service.table_files.options import NOTHING_STATED, FileOptions
from app.service.table_files.questions import Questions
from app.service.table_files.reading import HEADING_ROWS, read_start
from app.service.table_files.row_states import RowStates
from app.service.table_files.supplier_numbers import prepare_table, take_out_numbers
from app.service.tables.table import (
    CellError,
    InvalidRow,
    RejectedRow,
    TableRow,
    format_cell,
)
from app.service.values.flags import read_flag
from app.service.values.folding import fold_text

REQUIRED_FIELDS = ("name",)

MAX_LENGTHS = {
    "name": 250,
    "category": 250,
    "parent_category": 250,
    "domain": 253,
    "description": 20_000,
    "products": 20_000,
}

HOST_PATTERN = re.compile(r"(?=.{4,253}$)([^\W_]([\w-]{0,61}[^\W_])?\.)+[^\W\d_][\w-]*")
_MONTH_DAY = re.compile(r"(?:--)?(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])")
_ADDRESS = re.compile(r"https?://[^\s/?#]+\S*")


@dataclass(frozen=True, slots=True)
class CompanyLine:
    """A company as a file describes it; what it does not state is empty, or None."""

    name: str
    domain: str = ""
    legal_name: str = ""
    category: str = ""
    parent_category: str = ""
    discontinued: bool | None = None
    details: CompanyDetails = field(default_factory=CompanyDetails)
    products: Sequence[str] = ()
    line: int = field(default=0, compare=False)


class CompanyColumns(MatchedFields):
    """The columns of a file of suppliers."""

    @property
    def required(self) -> Collection[str]:
        """The needed fields."""
        return REQUIRED_FIELDS

    @property
    def uses(self) -> Mapping[ColumnUse, Collection[int]]:
        """The positions of columns that say which suppliers do not count."""
        return {"read": find_deletions(self.header, self.fields, self.rows).positions}


def match_company_columns(
    header: Sequence[str],
    mapping: Mapping[str, str] | None = None,
    ignore: Sequence[str] = (),
    sample_rows: Sequence[Sequence[object]] = (),
) -> CompanyColumns:
    """Find what each column holds. `mapping` is our field -> the file's column, or "" for none; `ignore`
    names columns to leave out; the cells of `sample_rows` tell numbers of suppliers from names. Raises
    UnreadableTable for what does not fit."""
    matched = match_fields(
        CompanyColumns, header, "catalog", mapping or {}, ignore, of="a supplier", rows=sample_rows
    )
    _take_articles(matched)
    take_out_numbers(matched, "name")
    return matched


prepare_companies = partial(prepare_table, kind="catalog", match=match_company_columns, field="name")
"""What is done with a table of suppliers before its rows are read."""


def _take_articles(matched: MatchedFields) -> None:
    """Let what each row describes be a product where the table is a price list or has numbers of articles."""
    prices = ("unit_price", "list_price")
    listed = match_fields(
        MatchedFields,
        matched.header,
        "purchases",
        {},
        of="one",
        amounts=prices,
        per_time=("unit_price",),
        rows=matched.rows,
    ).fields
    at = listed.get("product", listed.get("description"))
    if at is None or not matched.is_open("products") or listed.keys().isdisjoint((*prices, "product_key")):
        return
    if matched.fields.get("description") == at and "description" not in matched.mapping:
        del matched.fields["description"]
    if at not in matched.fields.values():
        matched.take("products", at)


def find_deletions(
    header: Sequence[str],
    fields: Mapping[str, int],
    rows: Sequence[Sequence[object]],
    decided: Mapping[str, bool] = NOTHING_STATED.states,
) -> RowStates:
    """Find the columns that mark suppliers as deleted, blocked or inactive, or as customers; `decided` says
    of states whether such suppliers count."""
    taken = {at for name, at in fields.items() if name != "category"}
    return RowStates.find(header, {*range(len(header))} - taken, rows, decided, "suppliers")


def read_company_rows(
    rows: Iterator[TableRow | RejectedRow],
    said: FileOptions = NOTHING_STATED,
    questions: Questions | None = None,
) -> Iterator[CompanyLine | RejectedRow]:
    """Read the rows of a table, the header first; states that nobody here knows are put to `questions`.
    Raises UnreadableTable."""
    start = read_start(rows, match_company_columns, said)
    names, columns = start.header, start.columns.fields
    states = find_deletions(names, columns, start.first[:HEADING_ROWS], said.states)
    for row in chain(start.sample, start.rest):
        if isinstance(row, RejectedRow):
            yield row
            continue
        if left_out := states.leave_out(row, questions):
            yield left_out
            continue
        try:
            yield replace(read_company(row[1], columns), line=row[0])
        except InvalidRow as error:
            yield reject_row(row[0], error, names, columns)


def read_company(cells: Sequence[object], columns: Mapping[str, int]) -> CompanyLine:
    """Read one row. Raises InvalidRow."""

    def text(name: str) -> str:
        at = columns.get(name, -1)
        cell = cells[at] if 0 <= at < len(cells) else None
        if isinstance(cell, CellError):
            raise InvalidRow(name, cell.reason)
        value = format_cell(cell).strip()
        if value.startswith("="):
            raise InvalidRow(name, "is a formula, not a value")
        if len(value) > MAX_LENGTHS.get(name, 2_000):
            raise InvalidRow(
                name, f"has {len(value):,} characters, at most {MAX_LENGTHS.get(name, 2_000):,} are taken"
            )
        return value

    name = " ".join(text("name").split())
    if not name:
        raise InvalidRow("name", "is missing")
    url = _read_address("url", text("url"))
    host = domain_key(text("domain") or url)
    if host and not HOST_PATTERN.fullmatch(host):
        raise InvalidRow("domain", f"{host[:60]!r} is no domain name")
    details: CompanyDetails = {
        "description": text("description"),
        "url": url,
        "icon": _read_address("icon", text("icon")),
        "fiscalYearEnd": _read_fiscal_year_end(text("fiscal_year_end")),
        "stockSymbols": _read_stock_symbols(text("stock_symbols")),
    }
    given = {key: value for key, value in details.items() if value}
    return CompanyLine(
        name=name,
        domain=host,
        legal_name=text("legal_name"),
        category=text("category"),
        parent_category=text("parent_category"),
        discontinued=read_flag(fold_text(text("discontinued"))) is True
        if "discontinued" in columns
        else None,
        details=cast(CompanyDetails, given),
        products=tuple(dict.fromkeys(part.strip() for part in text("products").split("|") if part.strip())),
    )


def _read_address(column: str, text: str) -> str:
    if not text:
        return ""
    address = text if "://" in text else f"https://{text}"
    if not _ADDRESS.fullmatch(address):
        raise InvalidRow(column, f"{text[:60]!r} is no web address")
    return address


def _read_fiscal_year_end(text: str) -> str:
    if not text:
        return ""
    match = _MONTH_DAY.fullmatch(text)
    if not match:
        raise InvalidRow("fiscal_year_end", f"{text[:20]!r} is not written --MM-DD")
    return f"--{match[1]}-{match[2]}"


def _read_stock_symbols(text: str) -> list[StockSymbolRecord]:
    symbols: list[StockSymbolRecord] = []
    for part in filter(None, (part.strip() for part in text.split("|"))):
        exchange, separator, symbol = part.partition(":")
        if not separator or not exchange.strip() or not symbol.strip():
            raise InvalidRow("stock_symbols", f"{part[:20]!r} is not written EXCHANGE:SYMBOL")
        symbols.append({"symbol": symbol.strip(), "exchange": exchange.strip()})
    return symbols
