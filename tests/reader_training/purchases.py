"""What a generated document is about: its lines, its totals and its terms, with the arithmetic as printed."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, Literal, TypeAlias

CENT = Decimal("0.01")
SoldBy: TypeAlias = Literal["seat", "good", "work"]
"""What a line is of: users of software, things, or hours of work."""


def rounded(value: Decimal, step: Decimal = CENT) -> Decimal:
    return value.quantize(step, ROUND_HALF_UP)


@dataclass
class Line:
    """One line; the keys of the truth files. `amount` is `quantity` x `unit_price` x `multiplier`, rounded.

    `unit_price_printed` is False where the page shows the list price and the discount only.
    """

    description: str
    quantity: Decimal | None
    unit_price: Decimal | None
    amount: Decimal | None
    unit: str | None = None
    units: str | None = None
    item_id: str | None = None
    list_unit_price: Decimal | None = None
    discount_percent: Decimal | None = None
    unit_price_printed: bool = True
    multiplier: Decimal = Decimal(1)
    price_period: Literal["month", "year", "term"] | None = None
    period_months: int | None = None
    first_month: int | None = None
    optional: bool = False
    included: bool = False
    one_time: bool = False
    credit: bool = False
    group: str | None = None
    detail: str | None = None
    tax_rate: Decimal | None = None
    tier_from: int | None = None
    tier_to: int | None = None
    sold_by: SoldBy = "good"

    def to_truth(self) -> dict[str, Any]:
        """A line of an amount only is one of something at that price, as in the other truth files."""
        flat = self.quantity is None and self.amount is not None
        wire: dict[str, Any] = {
            "description": self.description,
            "quantity": 1 if flat else plain(self.quantity),
            "quantity_printed": self.quantity is not None,
            "unit": self.unit,
            "unit_price": plain(self.amount if flat else self.unit_price),
            "amount": plain(self.amount),
            "multiplier": plain(self.multiplier),
            "price_period": self.price_period,
            "period_months": self.period_months,
            "unit_price_printed": self.unit_price_printed and self.unit_price is not None,
        }
        optional = (
            "item_id",
            "list_unit_price",
            "discount_percent",
            "group",
            "detail",
            "tier_from",
            "tier_to",
            "first_month",
        )
        for name in optional:
            if (value := getattr(self, name)) is not None:
                wire[name] = plain(value) if isinstance(value, Decimal) else value
        for name in ("optional", "included", "one_time", "credit"):
            if getattr(self, name):
                wire[name] = True
        return wire


@dataclass
class Purchase:
    """The facts of a document. What is None is not printed; whoever prints a term sets it."""

    kind: str
    language: str
    locale: str
    currency: str
    supplier: str
    buyer: str | None = None
    document_number: str | None = None
    document_date: date | None = None
    valid_until: date | None = None
    lines: list[Line] = field(default_factory=list[Line])
    document_discount: Decimal | None = None
    tax_rate: Decimal | None = None
    term_months: int | None = None
    start_date: date | None = None
    end_date: date | None = None
    billing: str | None = None
    payment_terms_days: int | None = None
    auto_renew: bool | None = None
    renewal_uplift_percent: Decimal | None = None
    notice_days: int | None = None
    contract_value: Decimal | None = None
    purchase_order: str | None = None
    taxed_within: bool = False
    """Whether prices hold the tax, which is then told apart from the total."""
    priced: bool = True
    """False for a price list, which has no total."""

    @property
    def gross_of_discount(self) -> Decimal:
        """The sum of the lines that count."""
        amounts = (line.amount for line in self.lines if not line.optional and line.amount is not None)
        return sum(amounts, Decimal(0))

    @property
    def net(self) -> Decimal:
        within = (self.tax or 0) if self.taxed_within else 0
        return self.gross_of_discount - (self.document_discount or 0) - within

    @property
    def taxes(self) -> list[tuple[Decimal, Decimal, Decimal]]:
        """Rate, taxed net and tax, for each rate."""
        if self.taxed_within and self.tax_rate is not None:
            gross = self.gross_of_discount - (self.document_discount or 0)
            tax = rounded(gross * self.tax_rate / (100 + self.tax_rate), self._step)
            return [(self.tax_rate, gross - tax, tax)]
        rates = sorted({line.tax_rate for line in self.lines if line.tax_rate is not None})
        if not rates:
            return (
                []
                if self.tax_rate is None
                else [(self.tax_rate, self.net, self._tax(self.tax_rate, self.net))]
            )
        shares: list[tuple[Decimal, Decimal, Decimal]] = []
        for rate in rates:
            base = sum(
                (
                    line.amount or Decimal(0)
                    for line in self.lines
                    if line.tax_rate == rate and not line.optional
                ),
                Decimal(0),
            )
            shares.append((rate, base, self._tax(rate, base)))
        return shares

    def _tax(self, rate: Decimal, base: Decimal) -> Decimal:
        return rounded(base * rate / 100, self._step)

    @property
    def _step(self) -> Decimal:
        return Decimal(1) if self.currency == "JPY" else CENT

    @property
    def tax(self) -> Decimal | None:
        taxes = self.taxes
        return sum((tax for _, _, tax in taxes), Decimal(0)) if taxes else None

    @property
    def total(self) -> Decimal:
        return self.net + (self.tax or 0)

    def _term_of_lines(self) -> dict[str, Any]:
        """The months that lines are charged for: a term, but one that no label or sentence calls so."""
        periods = {line.period_months for line in self.lines if line.period_months}
        if self.term_months is not None or len(periods) != 1:
            return {}
        return {"term_months": periods.pop(), "term_months_in_text": False}

    def to_truth(self) -> dict[str, Any]:
        totals = (self.net, self.tax, self.total) if self.priced else (None, None, None)
        dates = ("document_date", "valid_until", "start_date", "end_date")
        same = (
            "kind", "language", "locale", "supplier", "buyer", "currency", "document_number", "term_months",
            "billing", "payment_terms_days", "auto_renew", "notice_days", "purchase_order",
        )  # fmt: skip
        return {
            **{name: getattr(self, name) for name in same},
            **{name: day.isoformat() if (day := getattr(self, name)) else None for name in dates},
            **dict(zip(("net_total", "tax_total", "total"), map(plain, totals), strict=True)),
            **self._term_of_lines(),
            "renewal_uplift_percent": plain(self.renewal_uplift_percent),
            "document_discount": plain(self.document_discount),
            "contract_value": plain(self.contract_value),
            "line_items": [line.to_truth() for line in self.lines],
            "line_items_complete": True,
            "prices_include_tax": self.taxed_within,
        }


def plain(value: Decimal | None) -> float | int | None:
    if value is None:
        return None
    return int(value) if value == value.to_integral_value() else float(value)


Truth = Mapping[str, Any]
