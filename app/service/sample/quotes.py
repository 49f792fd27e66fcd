"""Quotes of sample suppliers, invented anew each day. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from app.service.sample.suppliers import ProductKind, SampleProduct, SampleSupplier
from app.service.values.rounding import round_to_cents

BUYER = "Acorn Retail Ltd."
TAX_PERCENT = Decimal(20)
VALID_DAYS = 30


@dataclass(frozen=True)
class OrderedProduct:
    """A product of a quote to draw: `option` is the choice that has a price, such as an edition, and `share`
    the price asked for as a share of the list price."""

    kind: ProductKind
    quantity: int
    option: str
    share: float


_UPLIFT_PERCENT = 5
"""The most that a price rises by where a quote renews by itself."""


@dataclass(frozen=True)
class QuotePlan:
    """What a quote is drawn from. `days_ago` is its age; `notice_days` is None where it does not renew by
    itself. One that `mixes_currencies` has
    its last line in another."""

    supplier: str
    products: Sequence[OrderedProduct]
    days_ago: int = 1
    term_months: int = 12
    payment_days: int = 30
    notice_days: int | None = 60
    mixes_currencies: bool = False


@dataclass(frozen=True)
class SampleQuoteLine:
    """A line of a quote. `unit_price` covers the whole term; `amount` is before tax."""

    item_id: str
    description: str
    quantity: int
    unit: str
    unit_price: Decimal
    amount: Decimal
    currency: str


@dataclass(frozen=True)
class SampleQuote:
    """A quote with all that its document says."""

    number: str
    supplier: SampleSupplier
    dated: date
    valid_until: date
    starts: date
    term_months: int
    payment_days: int
    notice_days: int | None
    uplift_percent: int
    currency: str
    lines: tuple[SampleQuoteLine, ...]

    @property
    def filename(self) -> str:
        return f"{self.supplier.row['name'].replace(' ', '-')}-{self.number}.pdf"

    @property
    def net(self) -> Decimal:
        return sum((line.amount for line in self.lines), Decimal(0))

    @property
    def tax(self) -> Decimal:
        return round_to_cents(self.net * TAX_PERCENT / 100)

    @property
    def total(self) -> Decimal:
        return self.net + self.tax


TRIAL_QUOTES: Mapping[str, QuotePlan] = {
    "Q-4107": QuotePlan(
        "Brenesse Works",
        (
            OrderedProduct("seats", 120, "Professional", 1.0),
            OrderedProduct("services", 10, "Consultant", 0.95),
        ),
    ),
    "Q-2236": QuotePlan(
        "Istquen Systems", (OrderedProduct("seats", 250, "Starter", 0.72),), term_months=24, payment_days=45
    ),
    "Q-8815": QuotePlan(
        "Selvora Systems",
        (
            OrderedProduct("seats", 60, "Enterprise", 0.9),
            OrderedProduct("usage", 4, "1 year", 0.97),
        ),
        notice_days=None,
    ),
}
"""Quotes to download and to try the reading of documents with, by their numbers."""


def draw_quote(
    number: str, plan: QuotePlan, suppliers: Sequence[SampleSupplier], today: date, currency: str
) -> SampleQuote:
    """Draw the quote of that number; the same on the same day."""
    [supplier] = [one for one in suppliers if one.row["name"] == plan.supplier]
    dated = today - timedelta(days=plan.days_ago)
    lines = [_draw_line(supplier, ordered, plan.term_months, currency) for ordered in plan.products]
    if plan.mixes_currencies:
        other = "EUR" if currency != "EUR" else "USD"
        lines[-1] = _draw_line(supplier, plan.products[-1], plan.term_months, other)
    day = dated + timedelta(days=VALID_DAYS)
    return SampleQuote(
        number=number,
        supplier=supplier,
        dated=dated,
        valid_until=day,
        starts=date(day.year + day.month // 12, day.month % 12 + 1, 1),
        term_months=plan.term_months,
        payment_days=plan.payment_days,
        notice_days=plan.notice_days,
        uplift_percent=_UPLIFT_PERCENT,
        currency=currency,
        lines=tuple(lines),
    )


def _draw_line(
    supplier: SampleSupplier, ordered: OrderedProduct, term_months: int, currency: str
) -> SampleQuoteLine:
    product = find_product(supplier, ordered.kind)
    once = product.kind == "services"
    price = product.list_price * option_factor(product, ordered.option) * ordered.share
    unit_price = round_to_cents(Decimal(repr(price * (1 if once else term_months))))
    return SampleQuoteLine(
        item_id=product.row["item_id"] or "",
        description=f"{product.row['name']} {ordered.option}",
        quantity=ordered.quantity,
        unit=product.unit,
        unit_price=unit_price,
        amount=unit_price * ordered.quantity,
        currency=currency,
    )


def find_product(supplier: SampleSupplier, kind: ProductKind) -> SampleProduct:
    return next(product for product in supplier.products if product.kind == kind)


def option_factor(product: SampleProduct, option: str) -> float:
    return next(factors[option] for factors in product.factors.values() if option in factors)
