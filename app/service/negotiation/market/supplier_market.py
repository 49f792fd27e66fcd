"""What the purchases on record say of a supplier and of those that compete with it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy import Connection

from app.service.database.tables.catalog import company, product
from app.service.database.tables.purchases import purchase
from app.service.database.visibility import visible_to
from app.service.negotiation.market.purchase_stats import Deal, Deals, PriceRange

MOST_DEALS = 5_000
"""The newest of a supplier; older ones would cost time and say less."""
MOST_RIVALS = 5
RIVAL_DEALS = 500

MONTHS_PAID = {"month": 1, "year": 12}


@dataclass(frozen=True, slots=True)
class Market:
    """A supplier, its deals and the price ranges of its competitors. `features` are what its products bundle,
    each with the number of purchases of those products."""

    company_id: str
    name: str
    domain: str
    category_id: str | None
    fiscal_year_end: str | None
    last_updated_at: datetime
    deals: Deals
    rivals: Sequence[PriceRange]
    features: Sequence[tuple[str, int]]


def market_of(connection: Connection, organisation_id: str, company_id: str) -> Market | None:
    """From the purchases that this organisation may know: the deployment's and its own. None for an unknown
    company."""
    visible = visible_to(company.c, organisation_id)
    row = connection.execute(sa.select(company).where(company.c.id == company_id, visible)).first()
    if row is None:
        return None
    rival_ids: list[str] = row.details.get("competitorIds", [])[:MOST_RIVALS]
    rivals = connection.execute(
        sa.select(company.c.id, company.c.name)
        .where(company.c.id.in_(rival_ids), visible)
        .order_by(company.c.name)
    ).all()
    ranges = (
        Deals(_deals(connection, organisation_id, rival.id, RIVAL_DEALS), rival.name).unit_range()
        for rival in rivals
    )
    deals = Deals(_deals(connection, organisation_id, company_id, MOST_DEALS), row.name)
    return Market(
        company_id=company_id,
        name=row.name,
        domain=row.domain,
        category_id=row.category_id,
        fiscal_year_end=row.details.get("fiscalYearEnd"),
        last_updated_at=row.last_updated_at,
        deals=deals,
        rivals=[found for found in ranges if found is not None],
        features=_features(connection, organisation_id, company_id, deals),
    )


def _deals(connection: Connection, organisation_id: str, company_id: str, limit: int) -> list[Deal]:
    bought = purchase.c
    rows = connection.execute(
        sa.select(
            bought.product_id,
            bought.purchase_date,
            bought.quantity,
            bought.unit_price,
            bought.price_period,
            bought.term_months,
            bought.purchase_type,
            bought.list_price,
            bought.currency,
        )
        .where(
            bought.company_id == company_id,
            visible_to(bought, organisation_id),
        )
        .order_by(bought.purchase_date.desc(), bought.id.desc())
        .limit(limit)
    )
    deals: list[Deal] = []
    for row in rows:
        recurring = row.price_period != "once"
        months = (MONTHS_PAID.get(row.price_period) or row.term_months or 1) if recurring else 1
        deals.append(
            Deal(
                product_id=row.product_id,
                day=row.purchase_date,
                quantity=row.quantity,
                rate=row.unit_price / months,
                recurring=recurring,
                currency=row.currency,
                billing=row.price_period,
                term_months=row.term_months,
                renewal=None if row.purchase_type is None else row.purchase_type == "renewal",
                list_rate=None if row.list_price is None else row.list_price / months,
            )
        )
    return deals


def _features(
    connection: Connection, organisation_id: str, company_id: str, deals: Deals
) -> list[tuple[str, int]]:
    bought: dict[str, int] = {}
    for deal in deals.all:
        bought[deal.product_id] = bought.get(deal.product_id, 0) + 1
    counts: dict[str, int] = {}
    rows = connection.execute(
        sa.select(product.c.id, product.c.features).where(
            product.c.company_id == company_id, visible_to(product.c, organisation_id)
        )
    )
    for row in rows:
        for name in {feature["name"] for feature in row.features}:
            counts[name] = counts.get(name, 0) + bought.get(row.id, 0)
    return sorted(counts.items(), key=lambda feature: (-feature[1], feature[0]))
