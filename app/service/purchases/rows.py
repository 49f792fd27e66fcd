"""Read one row of cells into one purchase."""

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import lru_cache, partial
from typing import Any

from app.contract.money import format_exact_quantity
from app.service.charges.charge import count_periods, to_decimal
from app.service.purchase_records import PricePeriod, Purchase
from app.service.purchases.columns import PRICE_FIELDS, PurchaseColumns
from app.service.purchases.purchase_terms import (
    PaidPeriod,
    find_paid_period,
    read_months,
    read_period,
    read_type,
)
from app.service.purchases.row_totals import RowTotal, find_rounding, read_tax_within
from app.service.table_files.cells import (
    CACHED_AMOUNTS,
    MERGED,
    Amount,
    CellCache,
    is_merged,
    read_amount,
    read_attribute,
    read_currency,
    read_day,
    read_number,
    read_price,
    read_price_count,
    read_text,
)
from app.service.table_files.grouped_rows import is_tax
from app.service.table_files.heading_words import load_heading_words
from app.service.table_files.options import NOTHING_STATED, FileOptions
from app.service.table_files.questions import FileNotation, Questions
from app.service.tables.table import FormattedNumber, InvalidRow, format_cell
from app.service.values.currencies import agree, list_codes, list_possible
from app.service.values.flags import read_flag
from app.service.values.folding import fold_text
from app.service.values.numbers import DecimalMark
from app.service.values.periods import read_period as read_any_period
from app.service.values.price_basis import PriceBasis, find_price_count
from app.service.values.rounding import is_close
from app.service.values.tax import find_tax_in_cell
from app.service.values.units import PACKS, PIECE, find_factor, read_measure, read_unit

NUMBER_FIELDS = ("quantity", "list_price", "term_months", *PRICE_FIELDS)
"""The fields whose cells show how the file writes numbers."""
_FIELDS = (
    *("purchase_date", "supplier", "product", "product_key", "product_family", "brand", "category"),
    *("quantity", "unit", "currency", "term_months", "price_period", "purchase_type"),
    *("description", "buyer", "order_id"),
)
"""The fields in the order in which `read` takes them."""
_ZERO, _ONE = Decimal(), Decimal(1)
_FIGURES = re.compile(r"\d(?:[\d.,' ]*\d)?")
_TERM, _ONCE = PaidPeriod("term"), PaidPeriod("once")
_PROVABLE = (_TERM, PaidPeriod("month"), PaidPeriod("year"), PaidPeriod("year", 4), PaidPeriod("year", 2))
"""What the total of a row may prove that its unit price is for."""
_REPEATED = ("month", "quarter", "half year", "year")
_NUMBER_ALONE = (None, None, None)
"""The currency, the unit and the basis of most cells."""
_WITHHELD_PRICE = Decimal("NaN")
_UNKNOWN_DATE = date(1970, 1, 1)
MISSING = "is missing"


@dataclass(frozen=True)
class PurchaseOptions:
    """How rows are read as purchases: as somebody `said`, and in the `usual_currency` where neither a row nor
    anybody says one. With `lenient`, a missing date becomes 1 January 1970 and a missing quantity 1, because
    an estimate does not need them. With `withhold_prices` the price columns are never read, and prices are
    NaN. What nothing says is put to `questions`."""

    said: FileOptions = NOTHING_STATED
    usual_currency: str = "USD"
    lenient: bool = False
    withhold_prices: bool = False
    questions: Questions | None = None


AS_STATED = PurchaseOptions()


class RowReader:
    """Reads rows whose columns and notation are known."""

    def __init__(self, columns: PurchaseColumns, notation: FileNotation, how: PurchaseOptions) -> None:
        self._width, said, price = len(columns.header), how.said, columns.find_heading("unit_price")
        self._currency, self._codes = said.currency or how.usual_currency, list_codes()
        self._price_per = None if said.price_per is None else find_paid_period(said.price_per)
        self._questions = how.questions
        self._asks_currency = how.questions if said.currency is None else None
        self._currency_of_headings = columns.currency
        self._period = None if price.period is None else find_paid_period(price.period)
        self._unit = columns.quantity_unit
        self._price_unit = price.unit if price.period is None else None
        self._basis, self._is_gross = columns.price_basis or _ONE, columns.tax == "with tax"
        find = columns.find_role
        self._basis_at, self._tax_at, self._gross_at = find("basis"), find("tax"), find("gross")
        self._cancelled_at, self._discounts_at = find("cancelled"), columns.roles["discount"]
        self._billing_at, self._pack_at = find("billing"), find("pack_size")
        self._price_title = columns.find_title("unit_price") or "unit price"
        self._is_net = "list_price" in columns.fields or price.tax == "before tax"
        self._mark: DecimalMark | None = notation.file_mark
        self._lenient, self._withhold = how.lenient, how.withhold_prices
        self._attributes = [
            (name, at, CellCache(partial(read_attribute, name, mark=notation.mark(at))))
            for name, at in columns.list_others().items()
        ]
        self._at = {name: columns.fields.get(name, -1) for name in load_heading_words("purchases").fields}
        marks: dict[str, DecimalMark | None] = {name: notation.mark(self._at[name]) for name in NUMBER_FIELDS}
        reads: dict[str, Callable[[object], object]] = {name: partial(read_text, name) for name in _FIELDS}
        reads |= {
            "purchase_date": partial(read_day, "purchase_date", order=notation.order),
            "quantity": partial(read_amount, "quantity", mark=marks["quantity"]),
            "term_months": partial(
                read_months, "term_months", mark=marks["term_months"], unit=columns.months_of_term
            ),
            "price_period": partial(read_period, "price_period"),
            "purchase_type": partial(read_type, "purchase_type"),
            "currency": partial(read_currency, "currency"),
            "product": partial(_read_product, "product"),
        }
        if how.lenient:
            reads |= {name: _none_if_invalid(reads[name]) for name in ("purchase_date", "quantity")}
        # A field without a column is read from the empty cell after the last.
        self._fields = [
            (at if (at := self._at[name]) >= 0 else self._width, CellCache(reads[name])) for name in _FIELDS
        ]
        self._scales = columns.find_scales(("list_price", *PRICE_FIELDS))
        self._amounts = {
            name: (self._at[name], CellCache(partial(read, name, mark=marks[name]), CACHED_AMOUNTS))
            for name, read in (
                ("list_price", read_amount),
                ("unit_price", read_price),
                ("total_price", read_amount),
            )
        }

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
            raise InvalidRow("product", MISSING)
        if supplier is None:
            raise InvalidRow("supplier", MISSING)
        if day is None and not self._lenient:
            raise InvalidRow("purchase_date", MISSING)
        if is_merged(cells[self._at["quantity"]]):
            raise InvalidRow("quantity", MERGED)
        unit = unit or self._unit or (quantity.unit if quantity else None)
        is_counted = quantity is not None or not self._lenient
        quantity = self._check_quantity(quantity, unit) - self._read_cancelled(cells)
        if quantity <= 0:
            raise InvalidRow(
                "cancelled", "is all that was ordered: such a row is no purchase, so it is left out"
            )
        price = cells[self._at["unit_price"]]
        # Most prices are a number alone, told fast.
        may_say_more = (
            ("/" in price or " " in price) if isinstance(price, str) else isinstance(price, FormattedNumber)
        )
        if not self._withhold and may_say_more:
            said = self._read_amount(cells, "unit_price")
            if said is not None and said.basis is not None and said.basis.period is not None:
                known, period = period or self._period, find_paid_period(said.basis.period)
                if period is not None and known is not None and known != period:
                    wrong = f"is per {said.basis.period}, and the row says per {known.period}"
                    raise InvalidRow("unit_price", wrong)
                period = period or known
        if period is None:
            period = self._period or self._find_period(cells, quantity, unit, term)
        period, times = period
        if period == "term" and term is None:
            raise InvalidRow("price_period", "is the term, and the row does not say how long that is")
        unit_price, total_price, currency, share = self._read_prices(
            cells, quantity * _count_periods(period, term), unit, times, currency, is_counted
        )
        list_price = self._read_list_price(cells, currency, unit_price, share)
        # By position: by name takes a microsecond more.
        return Purchase(
            self.row_id(cells),
            day or _UNKNOWN_DATE,
            supplier,
            product,
            quantity,
            unit_price,
            total_price,
            currency if currency in self._codes else self._choose_code(currency),
            product_key,
            product_key,
            family,
            brand,
            category,
            unit,
            term,
            period,
            purchase_type,
            list_price,
            description,
            buyer,
            order_id,
            self._read_attributes(cells),
        )

    def ask_beside(self, cells: Sequence[object]) -> None:
        """Ask what a row leaves open that is refused for something else: everything is asked at once. It is
        read as if one were bought, some day, for 1 of the currency and the unit that the price or the total
        names."""
        counted = {at for name in (*PRICE_FIELDS, "quantity") if (at := self._at[name]) >= 0}
        for name in PRICE_FIELDS if self._questions is not None else ():
            with suppress(InvalidRow):
                whole = self._fit_width(cells)
                alone = ["" if at in counted else cell for at, cell in enumerate(whole)]
                if alone[self._at["purchase_date"]]:
                    alone[self._at["purchase_date"]] = _UNKNOWN_DATE
                if (at := self._at[name]) >= 0:
                    alone[at] = _FIGURES.sub("1", format_cell(whole[at]), count=1)
                    self.read(alone)

    def _fit_width(self, cells: Sequence[object]) -> Sequence[object]:
        """Return as many cells as the header has."""
        if any(format_cell(cell).strip() for cell in cells[self._width :]):
            raise InvalidRow("", f"{len(cells)} cells where the header has {self._width}")
        return [*cells[: self._width], *[""] * (self._width - len(cells))]

    def _check_quantity(self, counted: Amount | None, unit: str | None) -> Decimal:
        if counted is not None and counted[1:] == _NUMBER_ALONE and counted.value > 0:
            return counted.value
        if counted is None or (self._lenient and counted.value <= 0):
            return _ONE
        if counted.value <= 0:
            raise InvalidRow("quantity", f"{counted.value} is not above 0")
        if counted.currency is not None:
            raise InvalidRow("quantity", f"is an amount of {counted.currency}")
        if counted.unit not in (None, PIECE, read_unit(unit) if unit else None):
            raise InvalidRow("quantity", f"{counted.value} is in another unit than the row: {unit or 'none'}")
        return counted.value

    def _read_cancelled(self, cells: Sequence[object]) -> Decimal:
        """Read how many of those that were ordered are not bought."""
        if self._cancelled_at is None:
            return _ZERO
        cancelled = read_number("cancelled", cells[self._cancelled_at], self._mark) or _ZERO
        if cancelled < 0:
            raise InvalidRow("cancelled", f"{cancelled} is below 0")
        return cancelled

    def _read_amount(self, cells: Sequence[object], name: str) -> Amount | None:
        at, known = self._amounts[name]
        if at < 0:
            return None
        amount = known[cell] if isinstance(cell := cells[at], str) else known.read(cell)
        if name == "total_price" and is_merged(cell):
            raise InvalidRow(name, MERGED)
        if amount is not None and amount.unit is not None:
            raise InvalidRow(name, f"{cell!s:.40} names a unit")
        if amount is not None and name in self._scales:
            return amount._replace(value=amount.value * self._scales[name])
        return amount

    def _read_prices(
        self,
        cells: Sequence[object],
        units: Decimal,
        unit: str | None,
        times: int,
        currency: str | None,
        is_counted: bool,
    ) -> tuple[Decimal, Decimal, str | None, Decimal]:
        """Return the unit price, the total and the currency, which the row's column says or the prices do,
        and by what a unit price as it is printed is multiplied to be one of a unit, before tax. Raises
        InvalidRow for a total that contradicts the price, where the units are counted."""
        if self._withhold:
            return _WITHHELD_PRICE, _WITHHELD_PRICE, currency, _ONE
        if self._currency_of_headings is not None:
            currency = _join_currencies("currency", self._currency_of_headings, currency)
        price = self._read_unit_price(cells, unit)
        said = "" if self._gross_at is None else fold_text(format_cell(cells[self._gross_at]))
        if self._is_gross or read_flag(said) is True or find_tax_in_cell(said) == "with tax":
            return self._read_gross_prices(cells, units, times, currency)
        if price is None:
            total = self._read_amount(cells, "total_price")
            if total is None:
                raise InvalidRow("unit_price" if self._at["unit_price"] >= 0 else "total_price", "is missing")
            _require_positive("total_price", total.value)
            currency = _join_currencies("total_price", currency, total.currency)
            return total.value / units, total.value, currency, times / (self._read_basis(cells) or _ONE)
        _require_positive("unit_price", price.value)
        if times != 1:
            price = price._replace(value=price.value * times)
        if price.currency is not None:
            currency = _join_currencies("unit_price", currency, price.currency)
        total = self._read_total(cells)
        count = _count_in_unit(unit) or (
            self._read_pack_size(cells) if unit is None and self._price_unit in PACKS else None
        )
        price = self._price_one(price, count, units, None if total is None else total.value)
        share = price.value / (self._read_amount(cells, "unit_price") or price).value
        if total is None:
            return price.value, price.value * units, currency, share
        _require_positive("total_price", total.value)
        if total.currency is not None:
            currency = _join_currencies("total_price", currency, total.currency)
        if not is_counted or is_close(price.value * units, total.value):
            self._check_discount(cells)
            return price.value, total.value, currency, share
        paid = self._explain(cells, total.value, price.value, units)
        if paid is None:
            made = price.value * units
            counted = f"{format_exact_quantity(units)} × {format_exact_quantity(price.value)}"
            raise InvalidRow(
                "total_price",
                f"is {format_exact_quantity(total.value)}, and {self._price_title} makes {counted} ="
                f" {format_exact_quantity(made)}: nothing says which of them was paid; leave one of the two"
                " columns out",
            )
        return *paid, currency, share

    def _price_one(
        self, price: Amount, count: Decimal | None, units: Decimal, total: Decimal | None
    ) -> Amount:
        """Return the price of one where the unit names many, or a pack has `count`: which the price is for or
        which are counted, as the total proves. Raises InvalidRow without one."""
        is_stated = price.basis or self._basis != _ONE or self._basis_at is not None
        if count is None or count == 1 or is_stated:
            return price
        if total is None:
            raise InvalidRow(
                "unit", f"of {count:f} may be what the price is for or what is counted: no total shows which"
            )
        one = price.value / count
        return price._replace(value=one) if is_close(one * units, total) else price

    def _read_total(self, cells: Sequence[object]) -> Amount | None:
        """Read the total beside a unit price. The unit price is enough where it is none, and no discount is
        taken from it: spreadsheets often compute totals by formula. Raises InvalidRow."""
        with suppress(InvalidRow):
            if (total := self._read_amount(cells, "total_price")) is not None:
                return total
        self._check_discount(cells)
        return None

    def _check_discount(self, cells: Sequence[object]) -> None:
        if not self._is_net and any(self._list_discounts(cells)):
            raise InvalidRow("unit_price", "may be before the discount or after it, and no total shows which")

    def _explain(
        self, cells: Sequence[object], total: Decimal, price: Decimal, units: Decimal
    ) -> tuple[Decimal, Decimal] | None:
        """Return the unit price and the total that were paid, as `RowTotal.explain` does."""
        tax = None if self._tax_at is None else self._read_beside(cells[self._tax_at])
        stated = RowTotal(total, tax, self._list_discounts(cells), self._scales.get("total_price", 1))
        printed = self._read_amount(cells, "unit_price")
        share = _ONE if printed is None else price / printed.value
        rounding = (
            _ZERO if printed is None else find_rounding(printed.value, self._scales.get("unit_price", 1))
        )
        return stated.explain(price, units, rounding * share, share)

    def _list_discounts(self, cells: Sequence[object]) -> list[Decimal | None]:
        """Return the discounts of a row, one after the other: `10+5` are two."""
        listed = (cells[at] for at in self._discounts_at)
        parts = (cell.split("+") if isinstance(cell, str) else [cell] for cell in listed)
        return [self._read_beside(part) for of_cell in parts for part in of_cell]

    def _read_beside(self, cell: object) -> Decimal | None:
        with suppress(InvalidRow):
            return read_number("", cell, self._mark, percent=True)
        with suppress(InvalidRow):
            amount = read_amount("", cell, self._mark)
            return None if amount is None else amount.value
        return None

    def _read_unit_price(self, cells: Sequence[object], unit: str | None) -> Amount | None:
        """Read the price of one unit, where it is stated for several, or for another unit."""
        price = self._read_amount(cells, "unit_price")
        if price is None:
            return None
        basis = self._read_basis(cells) or self._basis
        of_price = self._price_unit
        if price.basis is not None:
            count = price.basis.count
            if count is not None and basis not in (_ONE, count):
                raise InvalidRow("unit_price", f"is for {count:f}, and the row says for {basis:f}")
            basis = count or basis
            of_price = _find_unit(price.basis, unit) or of_price
        if of_price in PACKS and (size := self._read_pack_size(cells)) and read_unit(unit or "") == PIECE:
            of_price = f"pack of {size:f}"
        factor = _ONE if of_price is None else _count_in(of_price, unit)
        return price if factor == basis else price._replace(value=price.value * factor / basis)

    def _read_basis(self, cells: Sequence[object]) -> Decimal | None:
        """Return for how many units the prices of the row are, where a column says it."""
        return None if self._basis_at is None else read_price_count(cells[self._basis_at], self._mark)

    def _read_pack_size(self, cells: Sequence[object]) -> Decimal | None:
        """Return how many pieces a pack has, where a column says it."""
        size = None if self._pack_at is None else self._read_beside(cells[self._pack_at])
        return size if size is not None and size >= 1 and size % 1 == 0 else None

    def _read_gross_prices(
        self, cells: Sequence[object], units: Decimal, times: int, currency: str | None
    ) -> tuple[Decimal, Decimal, str | None, Decimal]:
        """Return the prices without the tax that is in them, which a column of its own has to say, as an
        amount or in per cent; the rest is as for `_read_prices`."""
        total = self._read_amount(cells, "total_price")
        tax = None
        if total is not None and self._tax_at is not None:
            tax = read_tax_within(total.value, cells[self._tax_at], self._mark)
        if total is None or tax is None or not 0 <= tax < total.value:
            raise InvalidRow(
                "unit_price",
                "is with tax, and nothing says how much: name a column with the price before tax, or with the"
                " total and with its tax",
            )
        net = total.value - tax
        share = times * net / total.value / (self._read_basis(cells) or _ONE)
        return net / units, net, _join_currencies("total_price", currency, total.currency), share

    def _read_list_price(
        self, cells: Sequence[object], currency: str | None, paid: Decimal, share: Decimal
    ) -> Decimal | None:
        """Read the list price of what was paid for: it is printed in the terms of the unit price, unless only
        as it stands it is none below what was paid."""
        price = self._read_amount(cells, "list_price")
        if price is None:
            return None
        if price.value < 0:
            raise InvalidRow("list_price", f"{price.value} is negative")
        _join_currencies("list_price", currency, price.currency)
        listed = price.value * share
        is_of_one = not self._withhold and listed < paid <= price.value
        return (price.value if is_of_one else listed) or None

    def _find_period(
        self, cells: Sequence[object], quantity: Decimal, unit: str | None, term: int | None
    ) -> PaidPeriod:
        """Return what the unit price is for where no column says it: what the total proves, or a person
        said; else it is asked, and taken for the term until then. Without a term it is paid once, unless a
        column says how often it is billed: that is not what the price is for."""
        billing = None if self._billing_at is None else format_cell(cells[self._billing_at]).strip()
        if term is None and (not billing or read_any_period(billing) not in _REPEATED):
            return _ONCE
        if self._withhold:
            return _ONCE if term is None else _TERM
        price = self._read_unit_price(cells, unit)
        if price is None:
            return _ONCE if term is None else _TERM  # the total alone says what was paid
        total = self._read_total(cells)
        if total is not None and price.value > 0 and total.value > 0:
            for paid in _PROVABLE if term is not None else ():
                units = quantity * _count_periods(paid.period, term) * paid.times
                if self._explain(cells, total.value, price.value, units) is not None:
                    return paid
            if term is not None:
                return self._price_per or _TERM  # refused: no period makes this total
            # What is billed yearly has the total of a year; that of other bills may be of a year too.
            is_of_year = billing is not None and read_any_period(billing) == "year"
            if is_of_year and self._explain(cells, total.value, price.value, quantity) is not None:
                return PaidPeriod("year")
        if self._price_per is not None:
            return self._price_per
        if self._questions is not None:
            self._questions.ask_price_per(term, billing)
        return _ONCE if term is None else _TERM

    def _choose_code(self, sign: str | None) -> str:
        """Return the usual currency where the row names none, or a sign that it has too."""
        if self._asks_currency is not None:
            self._asks_currency.ask_currency(self._currency, sign)
        if sign is None or self._currency in list_possible(sign):
            return self._currency
        raise InvalidRow(
            "currency", f"{sign} may be of several countries; a column with a code such as EUR says which"
        )

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


def _read_product(name: str, cell: object) -> str | None:
    text = read_text(name, cell)
    if text is not None and is_tax(text):
        raise InvalidRow(name, f"{text!r} is a tax, not a purchase")
    return text


def _none_if_invalid(read: Callable[[object], object]) -> Callable[[object], object]:
    """Wrap a reader so that an invalid cell is None."""

    def lenient(cell: object) -> object:
        try:
            return read(cell)
        except InvalidRow:
            return None

    return lenient


def _join_currencies(name: str, known: str | None, named: str | None) -> str | None:
    """Return the currency that a row is known to be in after the cell of a price names one."""
    if named is None or named == known:
        return known
    if known is None:
        return named
    closer = agree(known, named)
    if closer is None:
        raise InvalidRow(name, f"is in {named}, and the row is in {known}")
    return closer


@lru_cache(maxsize=1024)
def _count_in_unit(unit: str | None) -> Decimal | None:
    """Return for how many a unit says that a price is: `per 1000`, `/100`, `100`; None where it says none."""
    if unit and unit.isascii() and unit.isdigit():
        return Decimal(unit) if int(unit) > 1 else None
    found = find_price_count(unit or "")
    return None if found is None else found.count


def _find_unit(said: PriceBasis, unit: str | None) -> str | None:
    """Return the unit that the cell of a price says it is for. Raises InvalidRow for an hour, a day or a week
    where nothing says that the quantity is of time."""
    if said.period is None or find_paid_period(said.period) is not None:
        return said.unit
    if read_measure(unit or "") is None:
        raise InvalidRow("unit_price", f"is per {said.period}, and nothing says how many of them it is for")
    return read_unit(said.period)


@lru_cache(maxsize=2_048)
def _count_in(of_price: str, unit: str | None) -> Decimal:
    """Return how many of the units that a price is for one unit of the quantity is. Raises InvalidRow where
    they measure different things; how many users a licence is for, and pieces a unit, is not judged."""
    counted, priced = read_measure(unit or ""), read_measure(of_price)
    if counted is None or priced is None or of_price == PIECE:
        return _ONE
    factor = find_factor(counted, priced)
    if factor is None:
        raise InvalidRow("unit_price", f"is for {of_price}, and the quantity is in {unit}")
    return to_decimal(factor)


def _require_positive(name: str, amount: Decimal) -> None:
    if amount <= 0:
        raise InvalidRow(name, f"{amount} is not above 0")


@lru_cache(maxsize=2_048)
def _count_periods(period: PricePeriod, term: int | None) -> Decimal:
    """Return how many price periods the term has; one where no term is stated."""
    return to_decimal(count_periods(period, term) or 1)
