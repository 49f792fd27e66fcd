"""A small market: a supplier, a competitor, their products and past purchases."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from app.service.context import Context
from app.service.database.tables import article, company, product, purchase
from app.service.ids import build_purchase_id, new_id
from tests.service.negotiation.fake_clock import NOW


@dataclass(frozen=True)
class CatalogMarket:
    """The ids of the records in the catalog. One unit of the product costs 8 to 12.8 a month."""

    company_id: str
    competitor_id: str
    product_id: str
    quantity_id: str

    def scope(self, quantity: float = 10, months: int = 12, **term: Any) -> dict[str, Any]:
        """The inner `scope` of a start."""
        return {
            "scopeTerms": [{"termLength": months, "purchaseType": "new_purchase", **term}],
            "productTerms": [
                {
                    "productId": self.product_id,
                    "pricingDimensions": [{"id": self.quantity_id, "value": quantity}],
                }
            ],
        }


def create_market(context: Context) -> CatalogMarket:
    """Fill an empty catalog with the market."""
    with context.database.writing() as connection:
        competitor = add_company(connection, "Rival <b>& Sons</b>", "rival.example")
        competitor_product, _ = add_product(connection, competitor, "Rival Suite")
        seller = add_company(
            connection, "Seller 24", "seller.example", competitorIds=[competitor], fiscalYearEnd="--12-31"
        )
        sold, quantity = add_product(connection, seller, "Suite 365")
        add_purchases(connection, sold, [8 + number % 5 * 1.2 for number in range(40)])
        add_purchases(connection, competitor_product, [6 + number % 3 for number in range(40)])
    return CatalogMarket(seller, competitor, sold, quantity)


def add_company(connection: Connection, name: str, domain: str, **details: Any) -> str:
    company_id = new_id()
    connection.execute(
        company.insert().values(
            id=company_id,
            name=name,
            sort_name=name.lower(),
            name_key=name.lower(),
            legal_name=name,
            domain=domain,
            discontinued=False,
            sample=False,
            details={"description": "", **details},
            last_updated_at=NOW,
            wire_read="{}",
            wire_list="{}",
        )
    )
    return company_id


def add_product(connection: Connection, company_id: str, name: str) -> tuple[str, str]:
    """Returns the product's id and that of its one dimension, the quantity."""
    product_id, quantity_id = new_id(), new_id()
    connection.execute(
        product.insert().values(
            id=product_id,
            company_id=company_id,
            name=name,
            sort_name=name.lower(),
            name_key=name.lower(),
            sort_order=0,
            details={"description": ""},
            dimensions=[
                {
                    "id": quantity_id,
                    "name": "Users",
                    "description": None,
                    "priceImpactKnown": True,
                    "formField": {
                        "type": "number",
                        "label": "users",
                        "readonly": False,
                        "required": True,
                        "min": 0,
                    },
                    "dependsOn": {},
                }
            ],
            features=[{"id": new_id(), "name": "Support <24h>", "description": ""}],
            dimension_source={},
            quantity_dimension_id=quantity_id,
            last_updated_at=NOW,
            wire_read="{}",
            wire_list="{}",
        )
    )
    return product_id, quantity_id


def find_or_add_article(connection: Connection, product_id: str) -> int:
    """Return the one wording of the product."""
    known = connection.scalar(sa.select(article.c.id).where(article.c.product_id == product_id))
    if known is not None:
        return known
    made = article.insert().values(product_id=product_id, text="Suite", digest=product_id[-32:])
    return connection.execute(made.returning(article.c.id)).scalar_one()


def add_purchases(
    connection: Connection,
    product_id: str,
    unit_prices: Sequence[float],
    organisation_id: str | None = None,
) -> None:
    """Add one purchase at each of these prices, the newest first."""
    article_id = find_or_add_article(connection, product_id)
    rows = [
        {
            "id": build_purchase_id(new_id()),
            "organisation_id": organisation_id,
            "article_id": article_id,
            "purchase_date": date(2026, 10, 1) - timedelta(days=15 * number),
            "currency": "USD",
            "quantity": 5.0 + number % 7 * 3,
            "unit_price": unit_price,
            "price_period": "month",
            "term_months": 12 if number % 2 else 36,
            "purchase_type": "renewal" if number % 3 else "new_purchase",
            "list_price": 15.0,
            "attributes": {},
        }
        for number, unit_price in enumerate(unit_prices)
    ]
    connection.execute(purchase.insert(), rows)
