"""What the organisation itself paid last for the same products."""

from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, Row

from app.service.database.tables.purchases import purchase
from app.service.negotiation.measuring import quantity_ids
from app.service.negotiation.savings import PreviousPrice
from app.service.purchases.records import MONTHS_IN
from app.service.scopes.store import products_of
from app.service.scopes.terms import as_number

CENT = Decimal("0.01")


def previous_price(
    connection: Connection, organisation_id: str, scope: Row[Any], now: datetime
) -> PreviousPrice | None:
    """The organisation's last purchase of each product of the scope, at the scope's quantities and term. None
    unless each was bought before, in the scope's currency: a part says nothing about the whole."""
    products = products_of(connection, {term["productId"] for term in scope.product_terms})
    months = sum(int(term["termLength"]) for term in scope.scope_terms)
    total = Decimal(0)
    days: list[str] = []
    for term in scope.product_terms:
        last = _last_of(connection, organisation_id, term["productId"], scope.currency, now)
        if last is None:
            return None
        numbers = quantity_ids(products.get(term["productId"]))
        quantity = sum(
            (as_number(entry["value"]) or Decimal(0))
            for entry in term["pricingDimensions"]
            if entry["id"] in numbers
        )
        total += Decimal(str(_monthly(last) if last.price_period != "once" else last.unit_price)) * (
            quantity * (1 if last.price_period == "once" else months)
        )
        days.append(f"{last.purchase_date:%Y-%m-%d}")
    if not days or total <= 0:
        return None
    when = " and ".join(sorted(set(days)))
    return PreviousPrice(
        total.quantize(CENT, ROUND_HALF_UP),
        f"Your own last purchase, of {when}, per unit and month, at this quantity and term.",
    )


def _last_of(
    connection: Connection, organisation_id: str, product_id: str, currency: str, now: datetime
) -> Row[Any] | None:
    return connection.execute(
        sa.select(purchase)
        .where(
            purchase.c.organisation_id == organisation_id,
            purchase.c.product_id == product_id,
            purchase.c.currency == currency,
            purchase.c.purchase_date <= now.date(),
        )
        .order_by(purchase.c.purchase_date.desc(), purchase.c.id.desc())
        .limit(1)
    ).first()


def _monthly(bought: Row[Any]) -> float:
    """The price of a unit for a month."""
    months = MONTHS_IN.get(bought.price_period) or bought.term_months or 1
    return bought.unit_price / months
