"""The columns of a table of lines by what they mean."""

from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class ColumnRoles:
    """Column index by meaning; None where the table has no such column.

    `times` is a second count that quantity and price are multiplied with, as of the days of a hire.
    `side_by_side` are the columns that make a line each: years, or tiers of a price. `otherwise_paid` are
    those of what is paid once where the others are of what is paid again and again, or the other way round.
    `agreement` is the share of the `checked` rows in which quantity x price x periods is the amount.
    """

    quantity: int | None = None
    unit_price: int | None = None
    amount: int | None = None
    list_price: int | None = None
    discount: int | None = None
    months: int | None = None
    years: int | None = None
    basis: int | None = None
    times: int | None = None
    side_by_side: tuple[int, ...] = ()
    otherwise_paid: tuple[int, ...] = ()
    agreement: float = 0.0
    checked: int = 0

    @property
    def price(self) -> int | None:
        """The column that a line's price stands in."""
        return self.unit_price if self.unit_price is not None else self.list_price

    @cached_property
    def columns_of_figures(self) -> frozenset[int]:
        known = (
            self.quantity, self.unit_price, self.amount, self.list_price, self.discount, self.months,
            self.years, self.times,
        )  # fmt: skip
        columns = (*known, *self.side_by_side, *self.otherwise_paid)
        return frozenset(index for index in columns if index is not None)
