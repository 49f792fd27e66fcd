"""What the purchases on record say about a supplier and its competitors."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy import Connection

from app.service.catalog.purchase_counts import select_newest_purchases
from app.service.charges.charge import convert_price, count_months_of_price
from app.service.database.dialect import dialect_of
from app.service.database.tables import company, product
from app.service.database.visibility import visible_to
from app.service.negotiation.market.purchase_stats import PastPurchase, PurchaseStats, UnitPriceRange

MAX_PURCHASES = 5_000
"""The newest purchases of a supplier that count; older ones would cost time and say less."""
MAX_COMPETITORS = 5
MAX_COMPETITOR_PURCHASES = 500


@dataclass(frozen=True, slots=True)
class SupplierMarket:
    """A supplier, its purchases and the price ranges of its competitors. `features` are what its products
    include, each with the number of purchases of those products."""

    company_id: str
    name: str
    domain: str
    category_id: str | None
    fiscal_year_end: str | None
    last_updated_at: datetime
    purchases: PurchaseStats
    competitors: Sequence[UnitPriceRange]
    features: Sequence[tuple[str, int]]


def load_supplier_market(
    connection: Connection, organisation_id: str, company_id: str
) -> SupplierMarket | None:
    """Load a supplier's market from the purchases that the organisation may see; None for an unknown
    company."""
    visible = visible_to(company.c, organisation_id)
    row = connection.execute(sa.select(company).where(company.c.id == company_id, visible)).first()
    if row is None:
        return None
    competitor_ids: list[str] = row.details.get("competitorIds", [])[:MAX_COMPETITORS]
    competitors = connection.execute(
        sa.select(company.c.id, company.c.name)
        .where(company.c.id.in_(competitor_ids), visible)
        .order_by(company.c.name)
    ).all()
    ranges = (
        PurchaseStats(
            _load_purchases(connection, organisation_id, competitor.id, MAX_COMPETITOR_PURCHASES),
            competitor.name,
        ).unit_range()
        for competitor in competitors
    )
    purchases = PurchaseStats(
        _load_purchases(connection, organisation_id, company_id, MAX_PURCHASES), row.name
    )
    return SupplierMarket(
        company_id=company_id,
        name=row.name,
        domain=row.domain,
        category_id=row.category_id,
        fiscal_year_end=row.details.get("fiscalYearEnd"),
        last_updated_at=row.last_updated_at,
        purchases=purchases,
        competitors=[found for found in ranges if found is not None],
        features=_count_features(connection, organisation_id, company_id, purchases),
    )


def _load_purchases(
    connection: Connection, organisation_id: str, company_id: str, limit: int
) -> list[PastPurchase]:
    rows = connection.execute(
        select_newest_purchases(
            dialect_of(connection),
            company_id,
            (
                *("purchase_date", "quantity", "unit_price", "price_period", "term_months"),
                *("purchase_type", "list_price", "currency", "unit"),
            ),
            lambda row: visible_to(row, organisation_id),
            limit,
        )
    )
    purchases: list[PastPurchase] = []
    for row in rows:
        months = count_months_of_price(row.price_period, row.term_months)
        if months is None:
            continue
        purchases.append(
            PastPurchase(
                product_id=row.product_id,
                purchase_date=row.purchase_date,
                quantity=row.quantity,
                unit_price=convert_price(row.unit_price, months),
                recurring=row.price_period != "once",
                currency=row.currency,
                billing=row.price_period,
                term_months=row.term_months,
                is_renewal=None if row.purchase_type is None else row.purchase_type == "renewal",
                unit_list_price=None if row.list_price is None else convert_price(row.list_price, months),
                unit=row.unit,
            )
        )
    return purchases


def _count_features(
    connection: Connection, organisation_id: str, company_id: str, stats: PurchaseStats
) -> list[tuple[str, int]]:
    bought: dict[str, int] = {}
    for each in stats.purchases:
        bought[each.product_id] = bought.get(each.product_id, 0) + 1
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
