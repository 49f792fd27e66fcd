"""One row of cells into one purchase."""

from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from math import isfinite
from typing import Self

from app.service.purchases.amounts import LARGEST, DecimalMark, NotANumber, decimal_mark, read_amount
from app.service.purchases.columns import SYNONYMS, Columns
from app.service.purchases.dates import NotADate, SlashOrder, read_date, slash_order
from app.service.purchases.records import MONTHS_IN, PricePeriod, Purchase, PurchaseType

LONGEST_TEXT = 20_000
_NUMBERS = ("quantity", "unit_price", "total_price", "list_price", "term_months")
_NOTHING = frozenset({"", "-", "–", "n/a", "na", "null", "none", "nan"})
_ONE = Decimal(1)
_WITHHELD = Decimal("NaN")
_UNDATED = date(1970, 1, 1)

_PERIODS: dict[str, PricePeriod] = {
    **dict.fromkeys(("month", "monthly", "per month", "mo", "1 month"), "month"),
    **dict.fromkeys(("year", "yearly", "annual", "annually", "per year", "yr"), "year"),
    **dict.fromkeys(("term", "per term", "contract"), "term"),
    **dict.fromkeys(("once", "one-time", "one time", "one_time", "onetime"), "once"),
}
_TYPES: dict[str, PurchaseType] = {
    **dict.fromkeys(("new_purchase", "new purchase", "new"), "new_purchase"),
    **dict.fromkeys(("renewal", "renew", "renewed"), "renewal"),
}


class RowRefused(ValueError):
    """The row is no purchase; the message says which cell and why."""


def text_of(cell: object) -> str:
    """A cell as text; a whole number that a spreadsheet keeps as a float has no `.0`."""
    if cell is None:
        return ""
    if isinstance(cell, str):
        return cell
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1e15:
        return str(int(cell))
    return str(cell)


class RowReader:
    """Reads rows whose columns, decimal marks and date order are known."""

    def __init__(
        self,
        columns: Columns,
        marks: dict[str, DecimalMark],
        slashes: SlashOrder,
        *,
        currency: str = "USD",
        lenient: bool = False,
        withhold_prices: bool = False,
    ) -> None:
        self._columns = columns
        self._marks = marks
        self._currency = currency
        self._lenient = lenient
        self._withhold = withhold_prices
        self._attributes = list(columns.attributes.items())
        self._at = {name: columns.fields.get(name, -1) for name in SYNONYMS}
        # Order files repeat their dates for thousands of rows.
        self._date = lru_cache(maxsize=4096)(lambda text: read_date(text, slashes))  # type: ignore[misc]

    @classmethod
    def judging(
        cls,
        columns: Columns,
        samples: Sequence[Sequence[object]],
        *,
        currency: str,
        lenient: bool,
        withhold_prices: bool,
    ) -> Self:
        """A reader that takes number and date locale from the file's first rows.

        A file is written in one locale: columns that leave it open follow the ones that show it.
        """

        def texts(name: str) -> list[str]:
            at = columns.fields.get(name, -1)
            if at < 0:
                return []
            return [cells[at] for cells in samples if at < len(cells) and isinstance(cells[at], str)]  # type: ignore[misc]

        judged = [
            name for name in _NUMBERS if not (withhold_prices and name in ("unit_price", "total_price"))
        ]
        whole = decimal_mark(text for name in judged for text in texts(name))
        return cls(
            columns,
            dict.fromkeys(_NUMBERS, whole),
            slash_order(texts("purchase_date")),
            currency=currency,
            lenient=lenient,
            withhold_prices=withhold_prices,
        )

    def row_id(self, cells: Sequence[object]) -> str:
        """The row's own id, as far as it can be read from a row that was refused."""
        at = self._at["row_id"]
        return text_of(cells[at]).strip()[:200] if 0 <= at < len(cells) else ""

    def read(self, cells: Sequence[object]) -> Purchase:
        """Read one row. Raises `RowRefused`."""
        if len(cells) > self._columns.width and any(
            text_of(cell).strip() for cell in cells[self._columns.width :]
        ):
            raise RowRefused(f"{len(cells)} cells where the header has {self._columns.width}")
        product = self._needed(cells, "product")
        supplier = self._needed(cells, "supplier")
        purchased = self._purchased(cells)
        quantity = self._quantity(cells)
        term = self._term(cells)
        period = self._period(cells, term)
        unit_price, total_price = self._prices(cells, quantity * _periods(period, term))
        return Purchase(
            id=self.row_id(cells),
            purchase_date=purchased,
            supplier=supplier,
            product=product,
            quantity=quantity,
            unit_price=unit_price,
            total_price=total_price,
            currency=self._currency_of(cells),
            product_key=self._text(cells, "product_key"),
            product_family=self._text(cells, "product_family"),
            brand=self._text(cells, "brand"),
            category=self._text(cells, "category"),
            unit=self._text(cells, "unit"),
            term_months=term,
            price_period=period,
            purchase_type=self._type(cells),
            list_price=self._list_price(cells),
            description=self._text(cells, "description"),
            buyer=self._text(cells, "buyer"),
            order_id=self._text(cells, "order_id"),
            attributes=self._read_attributes(cells),
        )

    def _text(self, cells: Sequence[object], name: str) -> str | None:
        at = self._at[name]
        if at < 0 or at >= len(cells):
            return None
        cell = cells[at]
        text = (cell if isinstance(cell, str) else text_of(cell)).strip()
        if not text or (len(text) < 5 and text.lower() in _NOTHING):
            return None
        if text[0] == "=":
            raise RowRefused(f"{name} is a formula, not a value")
        if len(text) > LONGEST_TEXT:
            raise RowRefused(f"{name} has {len(text):,} characters, at most {LONGEST_TEXT:,} are taken")
        return text

    def _needed(self, cells: Sequence[object], name: str) -> str:
        text = self._text(cells, name)
        if text is None:
            raise RowRefused(f"{name} is missing")
        return text

    def _purchased(self, cells: Sequence[object]) -> date:
        at = self._at["purchase_date"]
        cell = cells[at] if at < len(cells) else None
        if isinstance(cell, datetime):
            return cell.date()
        if isinstance(cell, date):
            return cell
        text = self._text(cells, "purchase_date")
        try:
            if text is not None:
                return self._date(text)
        except NotADate as error:
            if not self._lenient:
                raise RowRefused(f"purchase_date {error}") from None
        if self._lenient:
            return _UNDATED
        raise RowRefused("purchase_date is missing")

    def _number(self, cells: Sequence[object], name: str) -> Decimal | None:
        at = self._at[name]
        if at < 0 or at >= len(cells):
            return None
        cell = cells[at]
        if isinstance(cell, str):
            text = self._text(cells, name)
            if text is None:
                return None
            try:
                value = read_amount(text, self._marks[name])
            except NotANumber as error:
                raise RowRefused(f"{name} {error}") from None
        elif isinstance(cell, bool) or not isinstance(cell, int | float | Decimal):
            if cell is None:
                return None
            raise RowRefused(f"{name} {str(cell)[:40]!r} is not a number")
        else:
            try:
                value = Decimal(repr(cell)) if isinstance(cell, float) else Decimal(cell)
            except InvalidOperation:
                raise RowRefused(f"{name} {cell!r} is not a number") from None
            if value.is_nan():
                return None
        if value.is_infinite() or abs(value) >= LARGEST:
            raise RowRefused(f"{name} is not below 10^12")
        return value

    def _quantity(self, cells: Sequence[object]) -> Decimal:
        try:
            quantity = self._number(cells, "quantity")
            if quantity is None:
                return _ONE
            if quantity <= 0:
                raise RowRefused(f"quantity {quantity} is not above 0")
        except RowRefused:
            if self._lenient:
                return _ONE
            raise
        return quantity

    def _term(self, cells: Sequence[object]) -> int | None:
        term = self._number(cells, "term_months")
        if term is None or term == 0:
            return None
        if term < 0 or term > 1200 or term != term.to_integral_value():
            raise RowRefused(f"term_months {term} is not a whole number of months from 1 to 1200")
        return int(term)

    def _period(self, cells: Sequence[object], term: int | None) -> PricePeriod:
        text = self._text(cells, "price_period")
        if text is None:
            return "once" if term is None else "term"
        period = _PERIODS.get(text.lower())
        if period is None:
            raise RowRefused(f"price_period {text[:40]!r} is none of month, year, term, once")
        if term is None and period == "term":
            raise RowRefused("price_period is term, but term_months is missing")
        return period

    def _type(self, cells: Sequence[object]) -> PurchaseType | None:
        text = self._text(cells, "purchase_type")
        return None if text is None else _TYPES.get(text.lower().strip())

    def _prices(self, cells: Sequence[object], units: Decimal) -> tuple[Decimal, Decimal]:
        if self._withhold:
            return _WITHHELD, _WITHHELD
        unit_price = self._number(cells, "unit_price")
        if unit_price is None:
            total = self._number(cells, "total_price")
            if total is None:
                raise RowRefused("unit_price is missing")
            _above_zero("total_price", total)
            return total / units, total
        _above_zero("unit_price", unit_price)
        try:
            total = self._number(cells, "total_price")
        except RowRefused:
            # What the unit price says already needs no second witness, and sheets often sum by formula.
            total = None
        if total is not None:
            _above_zero("total_price", total)
        return unit_price, unit_price * units if total is None else total

    def _list_price(self, cells: Sequence[object]) -> Decimal | None:
        price = self._number(cells, "list_price")
        if price is not None and price < 0:
            raise RowRefused(f"list_price {price} is negative")
        return price or None

    def _currency_of(self, cells: Sequence[object]) -> str:
        text = self._text(cells, "currency")
        if text is None:
            return self._currency
        code = text.upper()
        if len(code) != 3 or not code.isascii() or not code.isalpha():
            raise RowRefused(f"currency {text[:40]!r} is not a three-letter code")
        return code

    def _read_attributes(self, cells: Sequence[object]) -> dict[str, str | float]:
        found: dict[str, str | float] = {}
        order = self._at["order_id"]
        order_id = cells[order] if 0 <= order < len(cells) else None
        for name, at in self._attributes:
            if at >= len(cells):
                continue
            cell = cells[at]
            if isinstance(cell, str):
                # Exports repeat the order's number under other names; it says nothing about the price.
                text = cell.strip()
                if not text or cell == order_id or (len(text) < 5 and text.lower() in _NOTHING):
                    continue
                found[name] = _attribute(name, text)
            elif cell is not None:
                value = _typed_attribute(cell)
                if value is not None:
                    found[name] = value
        return found


def _attribute(name: str, text: str) -> str | float:
    if text[0] == "=":
        raise RowRefused(f"{name} is a formula, not a value")
    if len(text) > LONGEST_TEXT:
        raise RowRefused(f"{name} has {len(text):,} characters, at most {LONGEST_TEXT:,} are taken")
    return _number_or_text(text)


@lru_cache(maxsize=65_536)
def _number_or_text(text: str) -> str | float:
    # A number with a leading zero is a code, and so is one longer than a float can tell apart.
    if len(text) > 15 or (text[0] == "0" and len(text) > 1 and text[1] != "."):
        return text
    try:
        number = float(text)
    except ValueError:
        return text
    return number if isfinite(number) and "_" not in text else text


def _typed_attribute(cell: object) -> str | float | None:
    if isinstance(cell, bool):
        return float(cell)
    if isinstance(cell, int | float | Decimal):
        number = float(cell)
        return number if isfinite(number) else None
    if isinstance(cell, datetime):
        return cell.date().isoformat()
    return str(cell)[:LONGEST_TEXT] or None


def _above_zero(name: str, amount: Decimal) -> None:
    if amount <= 0:
        raise RowRefused(f"{name} {amount} is not above 0")


def _periods(period: PricePeriod, term: int | None) -> Decimal:
    """How many of its periods the price is paid for over the term."""
    months = MONTHS_IN.get(period)
    return _ONE if months is None or term is None else Decimal(term) / months
