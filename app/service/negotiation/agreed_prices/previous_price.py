"""What the organisation itself last paid for the same products."""

from datetime import date, datetime
from decimal import Decimal
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.dates import format_day
from app.service.agreements.market.renewal_cost import find_current_price
from app.service.agreements.store import find_agreement
from app.service.charges.charge import convert_price, count_months_of_price
from app.service.database.tables import product, purchase
from app.service.database.visibility import owned_by
from app.service.negotiation.offers.savings import PreviousPurchasePrice
from app.service.negotiation.offers.scope_requirements import load_term_quantities
from app.service.purchase_records.records import PricePeriod
from app.service.scopes.store import StoredScope
from app.service.scopes.terms import find_months_of_part
from app.service.values.rounding import round_to_cents


class LastPurchase(NamedTuple):
    """The price of a unit in a past purchase, for the period that `price_period` names."""

    purchase_date: date
    unit_price: float
    price_period: PricePeriod
    term_months: int | None


def find_previous_price(
    connection: Connection, organisation_id: str, scope: StoredScope, months: int, now: datetime
) -> PreviousPurchasePrice | None:
    """Price a scope by the organisation's last purchase of each of its products, at the scope's quantities
    for so many months, or for those that it buys a product for by itself. None unless each was bought before
    in the scope's currency: a part says nothing about the whole."""
    total = Decimal(0)
    days: set[date] = set()
    for term, quantity in load_term_quantities(connection, scope):
        last = _find_last_purchase(connection, organisation_id, term.product_id, scope.currency, now)
        if last is None or not quantity:
            return None
        price = _unit_price_for(last, find_months_of_part(term, scope.months) or months)
        if price is None:
            return None
        total += price * quantity
        days.add(last.purchase_date)
    if not days or total <= 0:
        return None
    when = " and ".join(map(format_day, sorted(days)))
    return PreviousPurchasePrice(
        round_to_cents(total),
        months,
        f"Your own last purchase, on {when}, scaled to this quantity and term.",
    )


def find_renewed_price(
    connection: Connection, organisation_id: str, agreement_id: str, currency: str, months: int
) -> PreviousPurchasePrice | None:
    """Price so many months as in the agreement that is renewed; None where its value or its term is not
    known, or is in another currency."""
    renewed = find_agreement(connection, organisation_id, agreement_id)
    if renewed is None or renewed.agreed.currency != currency:
        return None
    amount = find_current_price(renewed.agreed, months)
    if not amount:
        return None
    basis = f"What is paid again of “{renewed.agreed.name}”, for {months} months at its price."
    return PreviousPurchasePrice(amount, months, basis)


def _find_last_purchase(
    connection: Connection, organisation_id: str, product_id: str, currency: str, now: datetime
) -> LastPurchase | None:
    seller = sa.select(product.c.company_id).where(product.c.id == product_id).scalar_subquery()
    row = connection.execute(
        sa.select(
            purchase.c.purchase_date, purchase.c.unit_price, purchase.c.price_period, purchase.c.term_months
        )
        .where(
            # The index of own purchases has the seller, none has the product.
            owned_by(purchase.c, organisation_id),
            purchase.c.company_id == seller,
            purchase.c.product_id == product_id,
            purchase.c.currency == currency,
            purchase.c.purchase_date <= now.date(),
        )
        .order_by(purchase.c.purchase_date.desc(), purchase.c.id.desc())
        .limit(1)
    ).first()
    return LastPurchase(*row) if row else None


def _unit_price_for(bought: LastPurchase, months: int) -> Decimal | None:
    """Return what a unit cost, for this many months where the price is paid for a time; None where that time
    is not known."""
    price = Decimal(str(bought.unit_price))
    if bought.price_period == "once":
        return price
    paid_for = count_months_of_price(bought.price_period, bought.term_months)
    return None if paid_for is None or not months else convert_price(price, paid_for, months)
