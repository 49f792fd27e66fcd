"""What the organisation itself last paid for the same products."""

from collections.abc import Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.dates import format_day
from app.contract.money import format_count
from app.service.agreements.market.renewal_cost import find_current_price
from app.service.agreements.recording import find_same_deal
from app.service.agreements.store import find_agreement
from app.service.charges.charge import convert_price, count_months_of_price
from app.service.database.tables import agreement, agreement_purchase, article, purchase
from app.service.database.visibility import owned_by
from app.service.negotiation.offers.savings import Baseline
from app.service.negotiation.offers.scope_requirements import asks_for_more
from app.service.pricing.catalog_product import CatalogProduct, load_products
from app.service.pricing.scope_estimate import build_price_query
from app.service.purchase_records import PricePeriod, PriceQuery
from app.service.purchases.attributes import format_option
from app.service.scopes.store import StoredScope
from app.service.scopes.terms import find_months_of_part
from app.service.scopes.units import units_agree
from app.service.values.rounding import round_to_cents

_MOST_PURCHASES = 100
"""How many of the latest purchases of a product are considered."""


class LastPurchase(NamedTuple):
    """The price of a unit in a past purchase, for the period that `price_period` names."""

    purchase_date: date
    unit_price: float
    price_period: PricePeriod
    term_months: int | None
    unit: str | None
    attributes: Mapping[str, str | float]

    def may_be_of(self, query: PriceQuery) -> bool:
        """Return whether nothing says that another unit or edition was bought."""
        return units_agree(self.unit, query.unit) and all(
            format_option(self.attributes.get(name, value)).casefold() == format_option(value).casefold()
            for name, value in query.attributes.items()
            if isinstance(value, str)
        )


def find_previous_price(
    connection: Connection,
    organisation_id: str,
    scope: StoredScope,
    currency: str | None,
    months: int | None,
    now: datetime,
) -> Baseline | None:
    """Price a scope by the organisation's last purchase of each of its products in the same edition and unit,
    at the scope's quantities for so many months, or for those that it buys a product for by itself; what is
    paid for a time has no price where nobody has said how long that is. None
    unless each was bought before in the currency of the negotiation, the scope's where it has none, and
    nothing else is asked for: a part says nothing about the whole. A contract that the same document is on
    record as is not what was paid before: the agreed price takes its place."""
    if asks_for_more(connection, scope):
        return None
    total, currency = Decimal(0), currency or scope.currency
    days: set[date] = set()
    replaced = sa.select(agreement_purchase.c.purchase_id).where(
        agreement_purchase.c.purchase_id.is_not(None),
        agreement_purchase.c.agreement_id == agreement.c.id,
        agreement.c.id == find_same_deal(connection, scope),
        agreement.c.negotiation_id.is_(None),
    )
    products = load_products(connection, scope.product_ids, organisation_id)
    for term in scope.product_terms:
        if (product := products.get(term.product_id)) is None:
            return None
        query = build_price_query(product, term, scope.scope_terms, currency)
        last = _find_last_purchase(connection, organisation_id, product, query, now, replaced)
        if last is None or not query.quantity:
            return None
        price = _unit_price_for(last, find_months_of_part(term, scope.months) or months)
        if price is None:
            return None
        total += price * Decimal(repr(query.quantity))
        days.add(last.purchase_date)
    if not days or total <= 0:
        return None
    when = " and ".join(map(format_day, sorted(days)))
    basis = f"Your own last purchase, on {when}, scaled to this quantity and term."
    return Baseline("previous_price", round_to_cents(total), months, basis)


def find_renewed_price(
    connection: Connection, organisation_id: str, agreement_id: str, currency: str, months: int | None
) -> Baseline | None:
    """Price so many months as in the agreement that is renewed; None where its value or its term is not
    known, or is in another currency."""
    renewed = find_agreement(connection, organisation_id, agreement_id)
    if renewed is None or renewed.agreed.currency != currency:
        return None
    amount = find_current_price(renewed.agreed, months) if months else None
    if not months or not amount:
        return None
    basis = (
        f"What is paid again of “{renewed.agreed.name}”, for {format_count(months, 'month')} at its price."
    )
    return Baseline("previous_price", amount, months, basis)


def _find_last_purchase(
    connection: Connection,
    organisation_id: str,
    product: CatalogProduct,
    query: PriceQuery,
    now: datetime,
    replaced: sa.Select[str | None],
) -> LastPurchase | None:
    rows = connection.execute(
        sa.select(*(purchase.c[name] for name in LastPurchase._fields))
        .join(article, article.c.id == purchase.c.article_id)
        .where(
            owned_by(purchase.c, organisation_id),
            article.c.product_id == product.id,
            purchase.c.currency == query.currency,
            purchase.c.purchase_date <= now.date(),
            purchase.c.id.not_in(replaced),
        )
        .order_by(purchase.c.purchase_date.desc(), purchase.c.id.desc())
        .limit(_MOST_PURCHASES)
    )
    return next((last for row in rows if (last := LastPurchase(*row)).may_be_of(query)), None)


def _unit_price_for(bought: LastPurchase, months: int | None) -> Decimal | None:
    """Return what a unit cost, for this many months where the price is paid for a time; None where that time
    is not known."""
    price = Decimal(str(bought.unit_price))
    if bought.price_period == "once":
        return price
    paid_for = count_months_of_price(bought.price_period, bought.term_months)
    return None if paid_for is None or not months else convert_price(price, paid_for, months)
