"""Whether the total of a row is what its unit price and its quantity make, granting that both are rounded.
Pure."""

from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from app.service.table_files.cells import read_amount, read_number
from app.service.tables.table import FormattedNumber
from app.service.values.numbers import DecimalMark
from app.service.values.rounding import CENT, round_to_cents

_HALF_CENT = Decimal("0.005")
_RELATIVE = Decimal("0.005")
_LEAST_PLACES = -2
_MOST_DISCOUNTS = 4


class RowTotal(NamedTuple):
    """The total of a row as it is stated. `tax` is the number in its column of tax, and `discounts` those in
    its columns of discounts: an amount, or a percentage of what those before leave; two may say the same. The
    total was written in units of `scale`."""

    total: Decimal
    tax: Decimal | None = None
    discounts: Sequence[Decimal | None] = ()
    scale: int = 1

    def explain(
        self, price: Decimal, units: Decimal, rounding: Decimal, share: Decimal
    ) -> tuple[Decimal, Decimal] | None:
        """Return the unit price and the total before tax that were paid, where `units` at this price make the
        total, also with the tax or less the discount; None where they contradict it. `rounding` is the most
        that the price may be off, and `share` how many units a printed price is for, turned round: a discount
        may be of each."""
        made = price * units
        granted = rounding * units + max(find_rounding(self.total, self.scale), CENT)
        if abs(made - self.total) <= granted:
            return price, self.total
        for tax in _list_amounts(self.tax, made):
            if abs(made + tax - self.total) <= granted:
                return price, made
        left = [made]
        for discount in self.discounts[:_MOST_DISCOUNTS]:
            of_units = [abs(discount) * units * share] if discount else list[Decimal]()
            left += [
                one - amount
                for one in left
                for amount in (*_list_amounts(discount, one), *of_units)
                if amount < one
            ]
        if any(abs(one - self.total) <= granted for one in left):
            return self.total / units, self.total
        return None


def find_rounding(number: Decimal, scale: int = 1) -> Decimal:
    """Return the most by which a number may be off that is rounded to the decimals it is written with, in
    units of `scale`. One with less than two is more likely exact: it is granted half a cent, or half a per
    cent of itself."""
    number /= scale
    exponent = number.as_tuple().exponent
    places = min(exponent, 0) if isinstance(exponent, int) else 0
    half = Decimal(5).scaleb(places - 1)
    return scale * (half if places <= _LEAST_PLACES else min(half, max(_HALF_CENT, abs(number) * _RELATIVE)))


def read_tax_within(total: Decimal, cell: object, mark: DecimalMark | None) -> Decimal | None:
    """Return the tax in a total with it, of which a cell has the amount or, in per cent, the rate."""
    if isinstance(cell, FormattedNumber) and "%" in cell.number_format:
        rate = read_number("tax", cell, mark)
    elif isinstance(cell, str) and "%" in cell:
        rate = read_number("tax", cell, mark, percent=True)
        rate = None if rate is None else rate / 100
    else:
        amount = read_amount("tax", cell, mark)
        return None if amount is None else amount.value
    return None if rate is None else round_to_cents(total - total / (1 + rate))


def _list_amounts(number: Decimal | None, whole: Decimal) -> list[Decimal]:
    """Return the amounts that a number of a column may mean: itself, that many per cent, or that part."""
    return [] if not number else [abs(number), whole * abs(number) / 100, whole * abs(number)]
