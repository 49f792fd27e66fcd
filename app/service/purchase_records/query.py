"""A question to the estimator: the price of one product on stated terms."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import log, nan
from typing import Self

from app.contract.scope import PurchaseType
from app.service.charges.charge import price_of_month
from app.service.purchase_records.records import Purchase

# Fields of a purchase that are compared for equality, as its attributes are.
FACETS = ("supplier", "product", "product_key", "product_family", "brand", "category", "unit", "buyer")


@dataclass(frozen=True, slots=True)
class PriceQuery:
    """One product of a scope, or one purchase whose price is estimated without looking at it.

    `quantity` and `term_months` are how many are bought and the term that the price covers (None: not
    stated). `recurring` says whether
    the price grows with the term; None lets the comparables decide. `attributes` are pricing
    dimensions by name, a select's value as its label, a number as a float. `order_id` is only used to
    leave the same order out.
    """

    product: str
    quantity: float | None = 1.0
    currency: str = "USD"
    term_months: int | None = None
    recurring: bool | None = None
    purchase_type: PurchaseType | None = None
    supplier: str | None = None
    product_key: str | None = None
    item_id: str | None = None
    product_family: str | None = None
    brand: str | None = None
    category: str | None = None
    unit: str | None = None
    buyer: str | None = None
    description: str | None = None
    list_price: float | None = None
    order_id: str | None = None
    attributes: Mapping[str, str | float] = field(default_factory=dict[str, str | float])

    @classmethod
    def from_purchase(cls, purchase: Purchase) -> Self:
        """Return the question that a purchase answers; of its prices only the list price is read."""
        return cls(
            product=purchase.product,
            quantity=float(purchase.quantity),
            currency=purchase.currency,
            term_months=purchase.term_months,
            recurring=purchase.price_period != "once",
            purchase_type=purchase.purchase_type,
            supplier=purchase.supplier,
            product_key=purchase.product_key,
            item_id=purchase.item_id,
            product_family=purchase.product_family,
            brand=purchase.brand,
            category=purchase.category,
            unit=purchase.unit,
            buyer=purchase.buyer,
            description=purchase.description,
            list_price=None if purchase.list_price is None else float(purchase.list_price),
            order_id=purchase.order_id,
            attributes=purchase.attributes,
        )


def describe_article(row: Purchase | PriceQuery) -> str:
    """The texts that name the article, in one: the product, the supplier's number and the brand. Numbers and
    brands that are nearly equal are often those of one series."""
    return " ".join([text for text in (row.product, row.item_id, row.brand) if text])


def log_rate(purchase: Purchase) -> float:
    """Return ln of the unit price, for one month where the price is for a time; NaN where that is for a term
    which the purchase does not state."""
    price = price_of_month(float(purchase.unit_price), purchase.price_period, purchase.term_months)
    return nan if price is None else log(price)
