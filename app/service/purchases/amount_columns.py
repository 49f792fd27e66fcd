"""Which of several columns of amounts is the price: that before tax, by headings or by reckoning. Pure."""

import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal

from app.service.table_files.column_cells import Rows, list_texts, read_numbers
from app.service.table_files.column_headings import NO_HEADING
from app.service.table_files.field_matching import MatchedFields
from app.service.table_files.heading_words import list_word_group
from app.service.tables.table import format_cell
from app.service.values.currencies import agree, read_currency
from app.service.values.notation import NumberNotation
from app.service.values.numbers import DecimalMark, NumberReadings
from app.service.values.tax import Tax

_PRICES = ("unit_price", "total_price")
_LEAST_ROWS = 3
_SMALLEST = Decimal("0.02")
_MOST_TAX = Decimal("0.35")
_MOST_READ, _MOST_TRIED = 400, 24
_HALF = 0.5
_NO_ZERO = re.compile("[1-9]")
_POWERS = frozenset(Decimal(10**places) for places in range(7))


def find_amounts(matched: MatchedFields) -> tuple[str | None, Tax | None]:
    """Leave those prices in `matched` that are before tax, as far as headings or the first rows tell them
    from those with it. What a person has mapped stays. Return their currency and whether tax is in
    them."""
    fields, notes, is_net, is_gross = matched.fields, matched.notes, False, False
    _drop_contradicting(matched)
    reckoning, is_mapped = _Reckoning(matched), "total_price" in matched.mapping
    if "unit_price" in fields and matched.is_open("quantity"):
        reckoning.find_quantity()
    if "total_price" in fields and matched.is_open("unit_price", "quantity"):
        reckoning.find_factors()
    if not is_mapped:
        reckoning.choose_pair()
    is_told = _find_tax(matched) is not None or bool(matched.roles["gross"]) or not matched.roles["tax"]
    if "total_price" in fields:
        if is_mapped:
            is_gross = not is_told and reckoning.find_net() is not None
            is_net = not is_told and reckoning.is_net()
        else:
            is_net = not matched.roles["gross"] and reckoning.settle()
        if not is_mapped and not matched.roles["basis"]:
            matched.roles["basis"] += reckoning.list_bases()
        if not (is_net or is_gross or is_told):
            notes.append("Nothing says whether the price is before tax or with it: there is a column of tax.")
            if "unit_price" not in fields and not is_mapped:
                matched.offered[fields.pop("total_price")] = "total_price"
    stated = [currency for name in _PRICES if (currency := matched.find_heading(name).currency)]
    currency = agree(stated[0], stated[-1]) if stated else None
    if stated and currency is None:
        notes.append(f"The headings of the prices name several currencies: {', '.join(stated)}.")
    tax = _find_tax(matched) or ("before tax" if is_net else "with tax" if is_gross else None)
    return currency, tax


def _drop_contradicting(matched: MatchedFields) -> None:
    """Leave the one of a unit price and a total which alone is with tax by its heading, and a total beside a
    unit price where its heading names another currency than a row: accounts have it in their own."""
    fields = matched.fields
    taxes = {name: matched.find_heading(name).tax for name in _PRICES if name in fields}
    for name, tax in taxes.items() if len({*taxes.values()}) == 2 else ():
        if tax == "with tax" and name not in matched.mapping:
            del fields[name]
    total, at = matched.find_heading("total_price").currency, fields.get("currency")
    if total is None or at is None or "unit_price" not in fields or "total_price" in matched.mapping:
        return
    named = map(read_currency, list_texts(matched.rows, at))
    others = [one for one in named if one and agree(total, one) is None]
    if others:
        del fields["total_price"]
        matched.notes.append(f"The total is in {total}, and rows are in {others[0]}: unit prices count.")


def _find_tax(matched: MatchedFields) -> Tax | None:
    found: set[Tax] = {tax for name in _PRICES if (tax := matched.find_heading(name).tax)}
    return found.pop() if len(found) == 1 else None


class _Reckoning:
    """Finds amounts of which two make a third in every row."""

    def __init__(self, matched: MatchedFields) -> None:
        self._matched, self._fields, rows = matched, matched.fields, matched.rows
        self._columns = _read_columns(rows)
        self._headings, discounts = matched.headings, matched.roles["discount"]
        self._taxes = [at for at in matched.roles["tax"] if at in self._columns]
        taxes = zip(*(self._columns[at] for at in self._taxes), strict=True)
        self._tax = [sum((one for one in cells if one), Decimal()) for cells in taxes]
        self._discounts = [self._columns[at] for at in discounts if at in self._columns]
        of_rows = ([format_cell(row[at]) for at in discounts if at < len(row)] for row in rows)
        self._has_discount = [any(map(_NO_ZERO.search, cells)) for cells in of_rows]

    def _read(self, name: str) -> Sequence[Decimal | None]:
        """Return the numbers of a field; none where it has no column of numbers."""
        return self._columns.get(self._fields.get(name, -1), ())

    @property
    def _made(self) -> Sequence[Decimal | None]:
        """What the quantity and the unit price make; none where a column is missing."""
        one, other = self._read("quantity"), self._read("unit_price")
        return _multiply(one, other) if one and other else ()

    @property
    def _free(self) -> list[int]:
        """The columns of numbers that hold no field but a price, and no tax."""
        prices = {self._fields.get("unit_price"), self._fields.get("total_price")}
        taken = {*self._taxes, *(at for at in self._fields.values() if at not in prices)}
        return [at for at in self._columns if at not in taken][:_MOST_TRIED]

    def find_quantity(self) -> None:
        """Take the two columns of which one, in whole numbers, times the unit price makes the other in every
        row, and not 1."""
        unit_price, price = self._fields["unit_price"], self._read("unit_price")
        if not price:
            return
        if (count := self._matched.find_heading("unit_price").count) is not None:
            price = [one and one / count for one in price]
        offered = self._matched.offered
        aside = {at for found in self._matched.roles.values() for at in found} | offered.keys()
        free = [at for at in self._free if at != unit_price]
        counts = [
            at
            for at in free
            if (at not in aside or offered.get(at) == "quantity")
            and self._counts_several(at)  # else a rate of tax, of a discount or of exchange
            and all(one is None or (one >= 1 and not one % 1) for one in self._columns[at])
        ]
        known = self._fields.get("total_price")
        totals = free if known is None else [known]
        if (pair := next(self._list_pairs(counts, price, totals), None)) is not None:
            self._take(quantity=pair[0], total_price=pair[1])
            return
        for at in counts:
            made = _multiply(self._columns[at], price)
            others = {*totals} & self._columns.keys() - {at}
            if any(self._explain(made, total) >= _HALF for total in others):
                offered.setdefault(at, "quantity")

    def find_factors(self) -> None:
        """Take the only two columns that make the total in every row, of which one is called a price or of a
        unit."""
        total, words = self._fields["total_price"], list_word_group("price") | list_word_group("unitword")
        free = [at for at in self._free if at != total and at in self._headings]
        prices = [at for at in free if not words.isdisjoint(self._headings[at].words)]
        counts = [at for at in free if at not in prices and self._counts_several(at)]
        found = [
            (count, price)
            for price in prices
            for count, _ in self._list_pairs(counts, self._columns[price], (total,))
        ]
        if len(found) == 1:
            self._take(quantity=found[0][0], unit_price=found[0][1])

    def choose_pair(self) -> None:
        """Where the quantity and the unit price make in a row not what is called the total, take the two
        columns, called a quantity and an amount, of which one makes the other in every row, else the only
        amount that they make in most. What is called a price is the total where a column makes that."""
        fields, columns, matched = self._fields, self._columns, self._matched
        price, quantity, total = (fields.get(name, -1) for name in ("unit_price", "quantity", "total_price"))
        if not {price, quantity} <= columns.keys() or not (
            total in columns or matched.is_open("total_price")
        ):
            return
        counted, cancelled = columns[quantity], matched.find_role("cancelled")
        if cancelled in columns:
            counted = [
                a if a is None else a - (b or 0) for a, b in zip(counted, columns[cancelled], strict=True)
            ]
        made, is_said = _multiply(counted, columns[price]), matched.mapping.keys() & {"quantity", *_PRICES}
        if (total in columns and self._explain(made, total) == 1) or (is_said and total in columns):
            return
        free = {
            at: self._headings[at] for at in self._free if at in self._headings and at not in (price, total)
        }
        if total not in columns and not is_said and self._counts_several(quantity):
            for at in free:
                if self._explain(_multiply(counted, columns[at]), price) == 1:
                    self._take(unit_price=at, total_price=price)
                    return
        named = [at for at, one in free.items() if at in matched.amounts or one.tax]
        words = frozenset[str]() if is_said else list_word_group("quantity")
        counts = [quantity, *(at for at, one in free.items() if not words.isdisjoint(one.words))]
        named = [total, *named] if total in columns else named
        pair = next(self._list_pairs(counts, columns[price], named), None)
        most = [at for at in named if self._explain(made, at) > _HALF]
        if pair is not None or len(most) == 1:
            quantity, total = pair or (quantity, most[0])
            self._take(quantity=quantity, total_price=total)
        elif total not in columns:
            found = [(basis, at) for basis in self._list_powers() for at in free if at != basis]
            found = [(basis, at) for basis, at in found if self._explain(self._part(made, basis), at) > _HALF]
            if len(found) == 1:
                matched.roles["basis"] += [found[0][0]]
                self._take(total_price=found[0][1])

    def _explain(self, made: Sequence[Decimal | None], total: int) -> float:
        """Return in which part of the rows amounts are what a column has, but for a discount; 0 where no row
        shows it."""
        known = [
            (abs(one - whole) <= _tolerance(whole), is_less)
            for one, whole, is_less in zip(made, self._columns[total], self._has_discount, strict=True)
            if one and whole
        ]
        told = sum(is_same or is_less for is_same, is_less in known)
        return told / len(known) if any(is_same for is_same, _ in known) else 0

    def _counts_several(self, at: int) -> bool:
        return any(one not in (None, 1) for one in self._columns[at])

    def _list_pairs(
        self, counts: Iterable[int], price: Sequence[Decimal | None], totals: Sequence[int]
    ) -> Iterator[tuple[int, int]]:
        """Yield two columns of which one times the price makes the other in every row."""
        for at in counts:
            made = _multiply(self._columns[at], price)
            for total in totals:
                if total != at and total in self._columns and _agree(made, self._columns[total], least=1):
                    yield at, total

    def _take(self, **fields: int) -> None:
        for name, at in fields.items():
            self._matched.take(name, at)

    def settle(self) -> bool:
        """Make the total that before tax, where the rows show which that is; return whether they do."""
        total = self._fields["total_price"]
        if total not in self._columns:
            return False
        whole = self._columns[total]
        for discount in self._discounts:
            less = [at for at in self._free if _is_sum(self._columns[at], discount, whole)]
            total = less[0] if len(less) == 1 else total
        self._fields["total_price"] = total
        gross, of_lines = self._columns[total], self._made
        if self._tax and of_lines and _is_sum(of_lines, self._tax, gross):
            del self._fields["total_price"]
            return True
        if self._tax and _agree(of_lines, gross):
            return True
        net = self.find_net() if self._tax else next((at for at, _ in self._list_net(gross)), None)
        if net is None:
            return self.is_net()
        if net == self._fields.get("unit_price"):
            del self._fields["total_price"]
        else:
            self._fields["total_price"] = net
        return True

    def is_net(self) -> bool:
        """Whether the total and the columns of tax make another column in every row."""
        net, total = self._read("total_price"), self._fields["total_price"]
        return any(_is_sum(net, self._tax, self._columns[at]) for at in self._free if at != total)

    def find_net(self) -> int | None:
        """Return the column that makes the total together with the columns of tax in every row."""
        gross = self._read("total_price")
        return next((at for at in self._free if _is_sum(self._columns[at], self._tax, gross)), None)

    def list_bases(self) -> list[int]:
        """Return the only column of powers of ten that every total shows to be what the prices are for."""
        made, total = self._made, self._fields.get("total_price", -1)
        if not made or total not in self._columns or _agree(made, self._columns[total], least=1):
            return []
        found = [at for at in self._list_powers() if self._explain(self._part(made, at), total) == 1]
        return found if len(found) == 1 else []

    def _list_powers(self) -> list[int]:
        """Return the columns of powers of ten."""
        return [at for at in self._free if all(one in _POWERS for one in self._columns[at])]

    def _part(self, made: Sequence[Decimal | None], basis: int) -> list[Decimal | None]:
        """Return what amounts are where prices are for as many as a column has."""
        return [a and b and a / b for a, b in zip(made, self._columns[basis], strict=True)]

    def _list_net(self, gross: Sequence[Decimal | None]) -> Iterator[tuple[int, int]]:
        """Yield the columns of an amount and of a tax of at most a few rates that make the total. What the
        heading of the second calls by another name, such as freight, is no tax."""
        charges, headings = list_word_group("charge"), self._headings
        taxes = [at for at in self._free if charges.isdisjoint(headings.get(at, NO_HEADING).words)]
        for at in self._free:
            for other in taxes:
                net, tax = self._columns[at], self._columns[other]
                if at != other and _is_sum(net, tax, gross, _LEAST_ROWS):
                    rates = {round(two / one, 3) for one, two in zip(net, tax, strict=True) if one and two}
                    if rates and len(rates) <= 2 and all(_SMALLEST <= rate <= _MOST_TAX for rate in rates):
                        yield at, other


def _read_columns(rows: Rows) -> dict[int, list[Decimal | None]]:
    """Return the columns of numbers by their positions, without those in which neither their own cells nor
    those of the others decide what a cell is."""
    width = min(max(map(len, rows), default=0), _MOST_READ)
    found = {at: numbers for at in range(width) if (numbers := read_numbers(rows, at)) is not None}
    of_all, own = NumberNotation(), {at: NumberNotation() for at in found}
    for at, one in ((at, one) for at, numbers in found.items() for one in numbers):
        if isinstance(one, NumberReadings):
            own[at].take(one)
            of_all.take(one)
    marks: dict[int, DecimalMark | None] = {
        at: notation.decided or of_all.decided for at, notation in own.items()
    }
    read = {
        at: [one.value(marks[at]) if isinstance(one, NumberReadings) else one for one in numbers]
        for at, numbers in found.items()
    }
    return {at: numbers for at, numbers in read.items() if numbers.count(None) == found[at].count(None)}


def _is_sum(
    net: Sequence[Decimal | None],
    tax: Sequence[Decimal | None],
    gross: Sequence[Decimal | None],
    least: int = 1,
) -> bool:
    """Whether two columns, of which each may be missing, make a third in every row, and in so many with an
    amount of tax that is the smaller."""
    shown = 0
    for one, more, whole in zip(net, tax, gross, strict=False):
        if one is None and whole is None:
            continue
        if one is None or whole is None or abs(one + (more or 0) - whole) > _tolerance(whole):
            return False
        if more and abs(more) >= abs(one):
            return False
        shown += bool(more)
    return shown >= least


def _multiply(one: Sequence[Decimal | None], other: Sequence[Decimal | None]) -> list[Decimal | None]:
    return [None if a is None or b is None else a * b for a, b in zip(one, other, strict=True)]


def _agree(
    one: Sequence[Decimal | None], other: Sequence[Decimal | None], *, least: int = _LEAST_ROWS
) -> bool:
    pairs = [(left, right) for left, right in zip(one, other, strict=False) if left is not None and right]
    return len(pairs) >= least and all(abs(left - right) <= _tolerance(right) for left, right in pairs)


def _tolerance(amount: Decimal) -> Decimal:
    """Amounts are rounded."""
    return max(Decimal("0.015"), abs(amount) * Decimal("0.00002"))
