"""Read rows of a catalog file into companies. Pure."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from app.service.catalog.names import domain_key
from app.service.catalog.rows import CompanyDetails, StockSymbolRecord
from app.service.table_files.table import InvalidRow, UnreadableTable

COLUMN_SYNONYMS: dict[str, tuple[str, ...]] = {
    "name": ("company", "company_name", "supplier", "supplier_name", "vendor"),
    "domain": ("domain_name", "host"),
    "url": ("website", "homepage", "web"),
    "legal_name": ("legalname", "registered_name"),
    "description": ("about", "summary"),
    "category": ("category_name",),
    "parent_category": ("main_category", "top_category"),
    "icon": ("icon_url", "logo"),
    "fiscal_year_end": ("fiscalyearend",),
    "stock_symbols": ("stock_symbol", "ticker"),
    "discontinued": ("closed",),
    "products": ("product_names",),
}
"""Our name of each column and its other names. `products` are separated by |, and so are stock symbols, each
`EXCHANGE:SYMBOL`."""

MAX_LENGTHS = {"name": 250, "category": 250, "parent_category": 250, "domain": 253, "description": 20_000}

HOST_PATTERN = re.compile(r"(?=.{4,253}$)([^\W_]([\w-]{0,61}[^\W_])?\.)+[^\W\d_][\w-]*")
_MONTH_DAY = re.compile(r"(?:--)?(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])")
_ADDRESS = re.compile(r"https?://[^\s/?#]+\S*")
_TRUE = {"1", "true", "yes", "y", "x"}


@dataclass(frozen=True, slots=True)
class CompanyLine:
    """A company as a file describes it; missing values are empty."""

    name: str
    domain: str = ""
    legal_name: str = ""
    category: str = ""
    parent_category: str = ""
    discontinued: bool = False
    details: CompanyDetails = field(default_factory=CompanyDetails)
    products: Sequence[str] = ()


def find_columns(header: Sequence[str]) -> dict[str, int]:
    """Return the position of each column of ours. Raises UnreadableTable without a name column."""
    at: dict[str, int] = {}
    for position, title in enumerate(header):
        at.setdefault(re.sub(r"[\s-]+", "_", title.strip().lower()), position)
    texts = {
        ours: at[name]
        for ours, others in COLUMN_SYNONYMS.items()
        for name in reversed((ours, *others))
        if name in at
    }
    if "name" not in texts:
        raise UnreadableTable(f"no column for name; the file has {', '.join(header[:20])}")
    return texts


def read_company(cells: Sequence[str], columns: Mapping[str, int]) -> CompanyLine:
    """Read one row. Raises InvalidRow."""

    def text(name: str) -> str:
        at = columns.get(name, -1)
        value = cells[at].strip() if 0 <= at < len(cells) else ""
        if len(value) > MAX_LENGTHS.get(name, 2_000):
            raise InvalidRow(
                f"{name} has {len(value):,} characters, at most {MAX_LENGTHS.get(name, 2_000):,} are taken"
            )
        return value

    name = " ".join(text("name").split())
    if not name:
        raise InvalidRow("name is missing")
    url = _read_address("url", text("url"))
    host = domain_key(text("domain") or url)
    if host and not HOST_PATTERN.fullmatch(host):
        raise InvalidRow(f"domain {host[:60]!r} is no domain name")
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
        discontinued=text("discontinued").lower() in _TRUE,
        details=cast(CompanyDetails, given),
        products=tuple(dict.fromkeys(part.strip() for part in text("products").split("|") if part.strip())),
    )


def _read_address(column: str, text: str) -> str:
    if not text:
        return ""
    address = text if "://" in text else f"https://{text}"
    if not _ADDRESS.fullmatch(address):
        raise InvalidRow(f"{column} {text[:60]!r} is no web address")
    return address


def _read_fiscal_year_end(text: str) -> str:
    if not text:
        return ""
    match = _MONTH_DAY.fullmatch(text)
    if not match:
        raise InvalidRow(f"fiscal_year_end {text[:20]!r} is not written --MM-DD")
    return f"--{match[1]}-{match[2]}"


def _read_stock_symbols(text: str) -> list[StockSymbolRecord]:
    symbols: list[StockSymbolRecord] = []
    for part in filter(None, (part.strip() for part in text.split("|"))):
        exchange, separator, symbol = part.partition(":")
        if not separator or not exchange.strip() or not symbol.strip():
            raise InvalidRow(f"stock_symbols {part[:20]!r} is not written EXCHANGE:SYMBOL")
        symbols.append({"symbol": symbol.strip(), "exchange": exchange.strip()})
    return symbols
