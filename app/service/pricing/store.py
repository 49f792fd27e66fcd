"""The purchases that may be comparable, found in the database, and what was learnt from all of them."""

from collections.abc import Collection, Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, Row

from app.service.database.dialect import search_articles
from app.service.database.tables.catalog import company, product
from app.service.database.tables.pricing import calibration
from app.service.database.tables.purchases import article, purchase
from app.service.pricing.calibration import Calibration
from app.service.purchases.records import Purchase

OF_PRODUCT = 400
OF_FAMILY = 200
OF_WORDING = 400
OF_SUPPLIER = 150
ARTICLES = 60
"""How many of each kind are looked at, the latest first: more adds time and next to nothing."""

COUNTED = timedelta(days=730)


def find_comparables(
    connection: Connection,
    *,
    organisation_id: str,
    product_id: str,
    company_id: str,
    family_id: str | None,
    wording: str,
    currency: str,
    before: date,
    exclude: Collection[str] = (),
) -> list[Purchase]:
    """Purchases of the product, its family, its wording and its supplier, each once: the deployment's and the
    organisation's own."""
    visible = sa.and_(
        sa.or_(purchase.c.organisation_id.is_(None), purchase.c.organisation_id == organisation_id),
        purchase.c.currency == currency,
        purchase.c.purchase_date < before,
    )
    found: dict[str, None] = {}
    articles = search_articles(connection, wording, ARTICLES)
    for condition, limit in (
        (purchase.c.product_id == product_id, OF_PRODUCT),
        (purchase.c.family_id == family_id if family_id else None, OF_FAMILY),
        (purchase.c.article_id.in_(articles) if articles else None, OF_WORDING),
        (purchase.c.company_id == company_id, OF_SUPPLIER),
    ):
        if condition is not None:
            latest = (
                sa.select(purchase.c.id)
                .where(condition, visible)
                .order_by(purchase.c.purchase_date.desc())
                .limit(limit)
            )
            found.update(dict.fromkeys(connection.scalars(latest)))
    return purchases_of(connection, [key for key in found if key not in exclude])


def purchases_of(connection: Connection, purchase_ids: Sequence[str]) -> list[Purchase]:
    """Purchases as the estimator compares them: supplier and family by their ids."""
    if not purchase_ids:
        return []
    rows = connection.execute(
        sa.select(
            purchase,
            article.c.text.label("wording"),
            article.c.brand,
            article.c.category,
        )
        .join(article, article.c.id == purchase.c.article_id)
        .where(purchase.c.id.in_(purchase_ids))
    )
    return [_purchase(row) for row in rows]


def purchase_rows(connection: Connection, purchase_ids: Collection[str]) -> dict[str, Row[Any]]:
    """Rows of `purchase` by id."""
    rows = connection.execute(sa.select(purchase).where(purchase.c.id.in_(purchase_ids)))
    return {row.id: row for row in rows}


def product_rows(connection: Connection, product_ids: Collection[str]) -> dict[str, Row[Any]]:
    """The catalog's rows of products, with their company's name."""
    rows = connection.execute(
        sa.select(product, company.c.name.label("company_name"))
        .join(company, company.c.id == product.c.company_id)
        .where(product.c.id.in_(product_ids))
    )
    return {row.id: row for row in rows}


def purchase_counts(
    connection: Connection, organisation_id: str, company_ids: Collection[str], today: date
) -> dict[str, int]:
    """Purchases on record of each company in the past two years."""
    counted = connection.execute(
        sa.select(purchase.c.company_id, sa.func.count())
        .where(
            purchase.c.company_id.in_(company_ids),
            purchase.c.purchase_date > today - COUNTED,
            sa.or_(purchase.c.organisation_id.is_(None), purchase.c.organisation_id == organisation_id),
        )
        .group_by(purchase.c.company_id)
    )
    return {row[0]: row[1] for row in counted}


def latest_calibration(connection: Connection) -> Calibration:
    """What was learnt last; the built-in prior before anything was."""
    text: str | None = connection.scalar(
        sa.select(calibration.c.learnt).order_by(calibration.c.made_at.desc()).limit(1)
    )
    return Calibration() if text is None else Calibration.from_json(text)


def _purchase(row: Row[Any]) -> Purchase:
    unit_price = Decimal(repr(row.unit_price))
    quantity = Decimal(repr(row.quantity))
    return Purchase(
        id=row.id,
        purchase_date=row.purchase_date,
        supplier=row.company_id,
        product=row.wording,
        product_key=row.product_id,
        product_family=row.family_id,
        brand=row.brand,
        category=row.category,
        quantity=quantity,
        unit=row.unit,
        unit_price=unit_price,
        total_price=unit_price * quantity,
        currency=row.currency,
        term_months=row.term_months,
        price_period=row.price_period,
        purchase_type=row.purchase_type,
        list_price=None if row.list_price is None else Decimal(repr(row.list_price)),
        buyer=row.buyer,
        order_id=row.order_id,
        attributes=row.attributes,
    )
