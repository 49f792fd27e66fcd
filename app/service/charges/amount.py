"""A sum of money with what it covers."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Literal, TypeAlias

from babel.numbers import get_currency_precision

from app.service.charges.faults import NotComparable, NotStated

Number: TypeAlias = Fraction | int
"""An exact number. A Decimal is made one by `Fraction(decimal)`."""
Kind: TypeAlias = Literal["one_time", "recurring", "usage"]
Status: TypeAlias = Literal["firm", "optional", "alternative", "included", "credit"]
Tax: TypeAlias = Literal["before", "included", "unknown"]

NO_CURRENCY = "XXX"
"""The code of ISO 4217 for no currency: that of a document which names none."""
ALL_KINDS: frozenset[Kind] = frozenset({"one_time", "recurring", "usage"})
FIRM: frozenset[Status] = frozenset({"firm", "included"})
"""What is bought and has to be paid."""


@dataclass(frozen=True, slots=True)
class Units:
    """Something that is bought. `timed` says whether its count is of units times months."""

    what: str
    unit: str | None
    timed: bool


@dataclass(frozen=True, slots=True)
class Coverage:
    """What an amount covers.

    `first_month` and `months` are its span within the term, None for the whole of a term whose length is not
    stated. `per` is `all` for everything that is bought, `unit` for one unit of it and `unit and month` for
    one unit in one month. `bought` counts the units, None where that is not stated. `missing` names the
    charges that belong to it and whose amount is not known.
    """

    currency: str
    tax: Tax
    first_month: Number = 0
    months: Number | None = None
    per: Literal["all", "unit", "unit and month"] = "all"
    kinds: frozenset[Kind] = ALL_KINDS
    statuses: frozenset[Status] = FIRM
    adjusted: bool = True
    bought: Mapping[Units, Number | None] = field(default_factory=dict[Units, Number | None])
    missing: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Amount:
    """An exact sum of money. Two of them compare where they cover the same, and add up where they cover the
    same but for the things that are bought; else NotComparable is raised, which says in what they differ."""

    value: Number
    covers: Coverage

    def __add__(self, other: "Amount") -> "Amount":
        _require_same(self.covers, other.covers, apart_from=("bought", "missing"))
        bought = dict(self.covers.bought)
        for units, count in other.covers.bought.items():
            add_count(bought, units, count)
        missing = self.covers.missing | other.covers.missing
        return Amount(self.value + other.value, replace(self.covers, bought=bought, missing=missing))

    def __lt__(self, other: "Amount") -> bool:
        return self.compare(other) < 0

    def __le__(self, other: "Amount") -> bool:
        return self.compare(other) <= 0

    def __gt__(self, other: "Amount") -> bool:
        return self.compare(other) > 0

    def __ge__(self, other: "Amount") -> bool:
        return self.compare(other) >= 0

    def compare(self, other: "Amount") -> Number:
        """Return by how much this amount is more than the other. An amount in which something is missing
        compares with none."""
        _require_same(self.covers, other.covers)
        if self.covers.missing:
            raise NotComparable(f"The amount of {_join(self.covers.missing)} is not known.")
        return self.value - other.value

    def rounded(self) -> Decimal:
        """Return the amount with the decimals of its currency, half up. Raises NotStated where something is
        missing in it: `rounded_part` is for a page that says so."""
        if self.covers.missing:
            raise NotStated(f"The amount of {_join(self.covers.missing)} is not known.")
        return self.rounded_part()

    def rounded_part(self) -> Decimal:
        """Return what is known of the amount, as `rounded` does."""
        return round_money(self.value, self.covers.currency)


def smallest_amount(currency: str) -> Fraction:
    """Return the smallest amount of a currency: a hundredth for USD, 1 for JPY."""
    return Fraction(1, 10 ** _count_digits(currency))


def to_decimal(number: Number) -> Decimal:
    """Return the number as a Decimal, to the digits that one has."""
    exact = Fraction(number)
    return Decimal(exact.numerator) / exact.denominator


def round_money(value: Number, currency: str) -> Decimal:
    """Round to the decimals of the currency, half up: 2 for USD, 0 for JPY."""
    digits = _count_digits(currency)
    whole = int(abs(value) * 10**digits + Fraction(1, 2))
    return Decimal(-whole if value < 0 else whole).scaleb(-digits)


def share_out(whole: Number, weights: Sequence[Number], currency: str) -> list[Decimal]:
    """Return the parts of a sum of money in proportion to weights of 0 or more, one of them above 0. They
    have the decimals of the currency and add up to the rounded sum."""
    total, passed, given = Fraction(sum(weights)), Fraction(0), Decimal(0)
    parts: list[Decimal] = []
    for weight in weights:
        passed += weight
        parts.append(round_money(whole * passed / total, currency) - given)
        given += parts[-1]
    return parts


def add_count(counts: dict[Units, Number | None], units: Units, count: Number | None) -> None:
    """Add to what is bought of something; a count that is not stated leaves the sum unstated."""
    before = counts.get(units, 0)
    counts[units] = None if before is None or count is None else before + count


@lru_cache(maxsize=256)
def _count_digits(currency: str) -> int:
    return get_currency_precision(currency)


def _require_same(one: Coverage, other: Coverage, apart_from: tuple[str, ...] = ()) -> None:
    left, right = _describe(one), _describe(other)
    for name in (named.name for named in fields(Coverage) if named.name not in apart_from):
        if getattr(one, name) != getattr(other, name):
            raise NotComparable(f"The amounts differ in {name}: {left[name]} and {right[name]}.")


def _describe(covers: Coverage) -> dict[str, str]:
    bought = (
        f"{'unknown' if count is None else count} of {units.what}" for units, count in covers.bought.items()
    )
    return {
        **{named.name: str(getattr(covers, named.name)) for named in fields(Coverage)},
        "kinds": _join(covers.kinds),
        "statuses": _join(covers.statuses),
        "bought": _join(bought),
        "missing": _join(covers.missing),
    }


def _join(names: Iterable[str]) -> str:
    return ", ".join(sorted(names)) or "nothing"
