"""Read one row of cells into one purchase."""

from collections.abc import Callable, Sequence
from datetime import date
from decimal import Decimal
from functools import lru_cache, partial
from typing import Any, Self

from app.service.documents.values.numbers import DecimalMark
from app.service.purchase_records.records import MONTHS_PER_PERIOD, PricePeriod, Purchase
from app.service.purchases.columns import SYNONYMS, PurchaseColumns
from app.service.purchases.purchase_terms import read_months, read_period, read_type
from app.service.table_files.amounts import guess_decimal_mark
from app.service.table_files.cells import (
    CACHED_AMOUNTS,
    CellCache,
    format_cell,
    read_attribute,
    read_currency,
    read_day,
    read_number,
    read_text,
)
from app.service.table_files.dates import SlashOrder
from app.service.tables.table import InvalidRow

_PRICE_FIELDS = ("unit_price", "total_price")
_NUMBER_FIELDS = ("quantity", "list_price", "term_months", *_PRICE_FIELDS)
_FIELDS = (
    *("purchase_date", "supplier", "product", "product_key", "product_family", "brand", "category"),
    *("quantity", "unit", "currency", "term_months", "price_period", "purchase_type"),
    *("description", "buyer", "order_id"),
)
"""The fields in the order in which `read` takes them."""
_ONE = Decimal(1)
_WITHHELD_PRICE = Decimal("NaN")
_UNKNOWN_DATE = date(1970, 1, 1)


class RowReader:
    """Reads rows whose columns, decimal marks and date order are known."""

    def __init__(
        self,
        columns: PurchaseColumns,
        mark: DecimalMark,
        slashes: SlashOrder | None,
        *,
        currency: str = "USD",
        lenient: bool = False,
        withhold_prices: bool = False,
    ) -> None:
        self._width = columns.width
        self._currency = currency
        self._lenient = lenient
        self._withhold = withhold_prices
        self._attributes = [
            (name, at, CellCache(partial(read_attribute, name))) for name, at in columns.attributes.items()
        ]
        self._at = {name: columns.fields.get(name, -1) for name in SYNONYMS}
        reads: dict[str, Callable[[object], object]] = {name: partial(read_text, name) for name in _FIELDS}
        reads |= {
            "purchase_date": partial(read_day, "purchase_date", slashes=slashes),
            "quantity": partial(read_number, "quantity", mark=mark),
            "term_months": partial(read_months, "term_months", mark=mark),
            "price_period": partial(read_period, "price_period"),
            "purchase_type": partial(read_type, "purchase_type"),
            "currency": partial(read_currency, "currency"),
        }
        if lenient:
            reads |= {name: _none_if_invalid(reads[name]) for name in ("purchase_date", "quantity")}
        # A field without a column is read from the empty cell after the last.
        self._fields = [
            (at if (at := self._at[name]) >= 0 else columns.width, CellCache(reads[name])) for name in _FIELDS
        ]
        self._amounts = {
            name: (self._at[name], CellCache(partial(read_number, name, mark=mark), CACHED_AMOUNTS))
            for name in ("list_price", *_PRICE_FIELDS)
        }

    @classmethod
    def from_sample(
        cls,
        columns: PurchaseColumns,
        samples: Sequence[Sequence[object]],
        slashes: SlashOrder | None,
        *,
        currency: str,
        lenient: bool,
        withhold_prices: bool,
    ) -> Self:
        """Make a reader that guesses the decimal mark from the file's first rows; `slashes` is its order of
        dates, None where nothing shows it.

        A file is written in one locale, so ambiguous columns follow the unambiguous ones.
        """

        def texts(name: str) -> list[str]:
            at = columns.fields.get(name, -1)
            if at < 0:
                return []
            return [cell for cells in samples if at < len(cells) and isinstance(cell := cells[at], str)]

        number_fields = [name for name in _NUMBER_FIELDS if not (withhold_prices and name in _PRICE_FIELDS)]
        return cls(
            columns,
            guess_decimal_mark(text for name in number_fields for text in texts(name)),
            slashes,
            currency=currency,
            lenient=lenient,
            withhold_prices=withhold_prices,
        )

    def row_id(self, cells: Sequence[object]) -> str:
        """Return the row's own id; empty where there is none. Works for a rejected row too."""
        at = self._at["row_id"]
        return format_cell(cells[at]).strip()[:200] if 0 <= at < len(cells) else ""

    def read(self, cells: Sequence[object]) -> Purchase:
        """Read one row. Raises `InvalidRow`."""
        if len(cells) != self._width:
            cells = self._fit_width(cells)
        cells = [*cells, ""]
        values: list[Any] = [
            known[cell] if isinstance(cell := cells[at], str) else known.read(cell)
            for at, known in self._fields
        ]
        (day, supplier, product, product_key, family, brand, category, quantity, unit) = values[:9]
        (currency, term, period, purchase_type, description, buyer, order_id) = values[9:]
        if product is None:
            raise InvalidRow("product", "is missing")
        if supplier is None:
            raise InvalidRow("supplier", "is missing")
        day = day or self._default_date()
        quantity = self._check_quantity(quantity)
        period = _check_period(period, term)
        unit_price, total_price = self._read_prices(cells, quantity * _count_periods(period, term))
        # By position: by name takes a microsecond more.
        return Purchase(
            self.row_id(cells),
            day,
            supplier,
            product,
            quantity,
            unit_price,
            total_price,
            currency or self._currency,
            product_key,
            product_key,
            family,
            brand,
            category,
            unit,
            term,
            period,
            purchase_type,
            self._read_list_price(cells),
            description,
            buyer,
            order_id,
            self._read_attributes(cells),
        )

    def _fit_width(self, cells: Sequence[object]) -> Sequence[object]:
        """Return as many cells as the header has."""
        if any(format_cell(cell).strip() for cell in cells[self._width :]):
            raise InvalidRow("", f"{len(cells)} cells where the header has {self._width}")
        return [*cells[: self._width], *[""] * (self._width - len(cells))]

    def _default_date(self) -> date:
        if not self._lenient:
            raise InvalidRow("purchase_date", "is missing")
        return _UNKNOWN_DATE

    def _check_quantity(self, quantity: Decimal | None) -> Decimal:
        if quantity is None or (self._lenient and quantity <= 0):
            return _ONE
        if quantity <= 0:
            raise InvalidRow("quantity", f"{quantity} is not above 0")
        return quantity

    def _read_amount(self, cells: Sequence[object], name: str) -> Decimal | None:
        at, known = self._amounts[name]
        if at < 0:
            return None
        return known[cell] if isinstance(cell := cells[at], str) else known.read(cell)

    def _read_prices(self, cells: Sequence[object], units: Decimal) -> tuple[Decimal, Decimal]:
        if self._withhold:
            return _WITHHELD_PRICE, _WITHHELD_PRICE
        unit_price = self._read_amount(cells, "unit_price")
        if unit_price is None:
            total = self._read_amount(cells, "total_price")
            if total is None:
                raise InvalidRow("unit_price", "is missing")
            _require_positive("total_price", total)
            return total / units, total
        _require_positive("unit_price", unit_price)
        try:
            total = self._read_amount(cells, "total_price")
        except InvalidRow:
            # The unit price is enough, and spreadsheets often compute totals by formula.
            total = None
        if total is not None:
            _require_positive("total_price", total)
        return unit_price, unit_price * units if total is None else total

    def _read_list_price(self, cells: Sequence[object]) -> Decimal | None:
        price = self._read_amount(cells, "list_price")
        if price is not None and price < 0:
            raise InvalidRow("list_price", f"{price} is negative")
        return price or None

    def _read_attributes(self, cells: Sequence[object]) -> dict[str, str | float]:
        attributes: dict[str, str | float] = {}
        order = self._at["order_id"]
        order_id = cells[order] if order >= 0 else None
        for name, at, known in self._attributes:
            cell = cells[at]
            # Exports repeat the order's number under other names, which does not affect the price.
            if isinstance(cell, str) and cell == order_id:
                continue
            value = known[cell] if isinstance(cell, str) else known.read(cell)
            if value is not None:
                attributes[name] = value
        return attributes


def _none_if_invalid(read: Callable[[object], object]) -> Callable[[object], object]:
    """Wrap a reader so that an invalid cell is None."""

    def lenient(cell: object) -> object:
        try:
            return read(cell)
        except InvalidRow:
            return None

    return lenient


def _check_period(period: PricePeriod | None, term: int | None) -> PricePeriod:
    if period is None:
        return "once" if term is None else "term"
    if period == "term" and term is None:
        raise InvalidRow("price_period", "is term, but term_months is missing")
    return period


def _require_positive(name: str, amount: Decimal) -> None:
    if amount <= 0:
        raise InvalidRow(name, f"{amount} is not above 0")


@lru_cache(maxsize=2_048)
def _count_periods(period: PricePeriod, term: int | None) -> Decimal:
    """Return how many price periods the term has."""
    months = MONTHS_PER_PERIOD.get(period)
    return _ONE if months is None or term is None else Decimal(term) / months
