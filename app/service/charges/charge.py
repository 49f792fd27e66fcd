"""One price of a deal: how much, for how many, per what, from when and for how long; and what cannot be one.

ChargeFault
├── InvalidCharge           a figure of a charge or a schedule that no deal has
│   ├── OutsideTerm         it begins before the term or ends after it
│   ├── MixedCurrencies     charges in another currency than that of their schedule
│   └── DiscountAbovePrice  a discount of more than what it is taken from
├── NotStated               what is asked for depends on something that nobody stated
└── NotComparable           two amounts cover different things
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from decimal import Decimal
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Literal, TypeAlias, TypeVar

from babel.numbers import get_currency_precision


class ChargeFault(ValueError):
    """The message says what is wrong, and with which charge."""


class InvalidCharge(ChargeFault):
    """A figure is none that a charge or a schedule can have."""


class OutsideTerm(InvalidCharge):
    """A charge begins before the term or ends after it."""


class MixedCurrencies(InvalidCharge):
    """Charges are in other currencies than their schedule, all of which the message names."""


class DiscountAbovePrice(InvalidCharge):
    """A discount is more than what it is taken from."""


class NotStated(ChargeFault):
    """What is asked for depends on something that is not stated."""


class NotComparable(ChargeFault):
    """Two amounts cover different things: they neither add up nor compare."""


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
    stated. `bought` counts the units, None where that is not stated. `missing` names the charges that belong
    to it and whose amount is not known.
    """

    currency: str
    tax: Tax
    first_month: Number = 0
    months: Number | None = None
    kinds: frozenset[Kind] = ALL_KINDS
    statuses: frozenset[Status] = FIRM
    adjusted: bool = True
    bought: Mapping[Units, Number | None] = field(default_factory=dict[Units, Number | None])
    missing: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Amount:
    """An exact sum of money. Two of them compare where they cover the same; else NotComparable is raised,
    which says in what they differ."""

    value: Number
    covers: Coverage

    def __lt__(self, other: "Amount") -> bool:
        return self.compare(other) < 0

    def compare(self, other: "Amount") -> Number:
        """Return by how much this amount is more than the other. An amount in which something is missing
        compares with none."""
        _require_same(self.covers, other.covers)
        if self.covers.missing:
            raise NotComparable(f"The amount of {_join(self.covers.missing)} is not known.")
        return self.value - other.value


def smallest_amount(currency: str) -> Fraction:
    """Return the smallest amount of a currency: a hundredth for USD, 1 for JPY."""
    return Fraction(1, 10 ** _count_digits(currency))


def to_decimal(number: Number) -> Decimal:
    """Return the number as a Decimal, to the digits that one has."""
    exact = Fraction(number)
    return Decimal(exact.numerator) / exact.denominator


def round_money(value: Number | Decimal, currency: str) -> Decimal:
    """Round to the decimals of the currency, half up: 2 for USD, 0 for JPY."""
    return _round(value, _count_digits(currency))


def round_stated(value: Number | Decimal, currency: str) -> Decimal:
    """Round a price that is stated, or follows from one: to the decimals of the currency, and to the cent at
    least, since papers have cents also in currencies that have none."""
    return _round(value, max(_count_digits(currency), 2))


def _round(value: Number | Decimal, digits: int) -> Decimal:
    whole = int(abs(Fraction(value)) * 10**digits + Fraction(1, 2))
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


def _require_same(one: Coverage, other: Coverage) -> None:
    left, right = _describe(one), _describe(other)
    for name in (named.name for named in fields(Coverage)):
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


Per: TypeAlias = Literal["once", "month", "quarter", "half year", "year", "term", "use"]
"""What a price is for. `term` is for as long as its charge runs, whatever that is."""
MONTHS_PER: Mapping[Per, int] = {"month": 1, "quarter": 3, "half year": 6, "year": 12}
"""The periods that a price is for again and again, each in months."""
PER_OF_MONTHS: Mapping[int, Per] = {months: per for per, months in MONTHS_PER.items()}
"""The same periods by their months."""
Price = TypeVar("Price", float, Decimal, Fraction)
_NEVER_NEGATIVE: frozenset[Status] = frozenset({"firm", "included"})


def count_months_of_price(per: Per, months: int | None) -> int | None:
    """Return how many months one price covers, None where that is not stated; 1 where it is paid once and
    does not grow with time. `months` is how long its charge runs."""
    return 1 if per in ("once", "use") else MONTHS_PER.get(per) or months or None


@lru_cache(maxsize=1024)
def count_periods(per: Per, months: int | None) -> Fraction | None:
    """Return how many times a price is paid while its charge runs for so many months; None where it is paid
    again and nobody says how long it runs."""
    period = MONTHS_PER.get(per)
    if period is None:
        return Fraction(1)
    return None if months is None else Fraction(months, period)


def convert_price(price: Price, months: int, wanted: int = 1) -> Price:
    """Return what a price for so many months comes to for as many as are wanted."""
    return price * wanted / months


def price_of_month(price: Price, per: Per, months: int | None) -> Price | None:
    """Return what a price comes to for one month, unchanged where it is paid once; None where it is not
    stated how long it is for. `months` is how long its charge runs."""
    covered = count_months_of_price(per, months)
    return None if covered is None else convert_price(price, covered)


@dataclass(frozen=True, slots=True)
class Step:
    """From how many units on a rate holds."""

    from_quantity: Number
    rate: Number


@dataclass(frozen=True)
class Charge:
    """One price of a deal. What is not stated is None.

    `rate` is what `basis` units cost in one period (`per`), and `price` what all units cost in one: a charge
    states one of them. `steps` are the rates at greater quantities: of all units, or, where they are
    `incremental`, of the units beyond each step. At least `minimum` units are paid. `list_price` is what
    `price` would be without a discount. A charge begins `start_month` months after the term does, and is
    spread evenly over the `months` that it runs; what is paid once is paid where it begins. `line` is the
    position of the line or term that it was read from. Raises InvalidCharge.
    """

    what: str
    currency: str
    kind: Kind | None = None
    per: Per | None = None
    quantity: Number | None = None
    unit: str | None = None
    rate: Number | None = None
    basis: Number = 1
    price: Number | None = None
    list_price: Number | None = None
    steps: Sequence[Step] = ()
    incremental: bool = False
    minimum: Number | None = None
    start_month: Number | None = None
    months: Number | None = None
    status: Status = "firm"
    line: int | None = None

    def __post_init__(self) -> None:
        for name in ("quantity", "minimum"):
            if (getattr(self, name) or 0) < 0:
                raise InvalidCharge(f"{self.what}: the {name} is negative.")
        if self.basis <= 0:
            raise InvalidCharge(f"{self.what}: a price is for a number of units above 0, not {self.basis}.")
        if self.rate is not None and self.price is not None:
            raise InvalidCharge(f"{self.what}: the price of a unit and that of all units are both stated.")
        if self.months is not None and self.months <= 0:
            raise InvalidCharge(f"{self.what}: it runs for {self.months} months.")
        if (self.kind == "recurring" and self.per in ("once", "use")) or (
            self.kind == "one_time" and self.per in MONTHS_PER
        ):
            raise InvalidCharge(f"{self.what}: what is {self.kind} has no price per {self.per}.")
        self._check_signs()

    def _check_signs(self) -> None:
        stated = [
            one for one in (self.rate, self.price, *(step.rate for step in self.steps)) if one is not None
        ]
        if self.status in _NEVER_NEGATIVE and any(one < 0 for one in stated):
            if (self.list_price or 0) > 0:
                raise DiscountAbovePrice(f"{self.what}: the discount is more than the price.")
            raise InvalidCharge(f"{self.what}: the price is negative, and it is no credit.")
        if self.status == "credit" and any(one > 0 for one in stated):
            raise InvalidCharge(f"{self.what}: a credit of more than 0 is none.")
        if self.status == "included" and any(stated):
            raise InvalidCharge(f"{self.what}: what is included has no price of its own.")

    @cached_property
    def amount(self) -> Number | None:
        """What it costs as long as it runs; None where a figure that this depends on is not stated."""
        if self.status == "included":
            return 0
        price = self.price_of_period
        if price == 0:
            return 0
        if price is None or self.per is None:
            return None
        if self.per not in MONTHS_PER:
            return price
        return None if self.months is None else price * self.months * Fraction(1, MONTHS_PER[self.per])

    @property
    def units(self) -> Units:
        """What is bought."""
        return Units(self.what, self.unit, timed=self.kind != "one_time")

    @property
    def count(self) -> Number | None:
        """How many units are bought, times the months that it runs unless it is paid once."""
        if self.kind == "one_time" or self.quantity is None:
            return self.quantity
        return None if self.months is None else self.quantity * self.months

    def share_within(self, first_month: Number, months: Number) -> Number | None:
        """Return which part of it falls into a span of the term; None where that is not known."""
        end = first_month + months
        if self.start_month is None:
            return None
        if self.kind == "one_time":
            return int(first_month <= self.start_month < end)
        if self.months is None:
            return None
        own_end = self.start_month + self.months
        overlap = max(0, min(end, own_end) - max(first_month, self.start_month))
        if self.kind is None and 0 < overlap < self.months:
            return None  # paid once where it begins, or spread: nobody said
        return Fraction(overlap) / self.months

    @property
    def price_of_period(self) -> Number | None:
        """What all units that are paid cost in one period."""
        if self.price is not None or self.quantity is None or self.rate is None:
            return self.price
        paid = max(self.quantity, self.minimum or 0)
        steps = sorted(self.steps, key=lambda step: step.from_quantity)
        if not self.incremental:
            reached = [step.rate for step in steps if step.from_quantity <= paid]
            return paid * (reached[-1] if reached else self.rate) * Fraction(1) / self.basis
        starts = [0, *(step.from_quantity for step in steps)]
        rates = [self.rate, *(step.rate for step in steps)]
        ends = [*starts[1:], max(paid, starts[-1])]
        parts = (
            max(0, min(end, paid) - start) * rate
            for start, end, rate in zip(starts, ends, rates, strict=True)
        )
        return Fraction(sum(parts)) / self.basis
