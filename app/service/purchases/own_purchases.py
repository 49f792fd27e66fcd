"""Purchases that came with no file: their wording, and whether their product is paid once."""

from collections.abc import Collection

import sqlalchemy as sa
from sqlalchemy import Connection

from app.service.database.tables import article, purchase
from app.service.database.visibility import visible_to
from app.service.purchases.article_identity import digest_texts


def find_one_time_products(
    connection: Connection, organisation_id: str, product_ids: Collection[str]
) -> set[str]:
    """Return the products whose price is mostly paid once, by the purchases on record."""
    once = sa.func.sum(sa.case((purchase.c.price_period == "once", 1), else_=0))
    rows = connection.execute(
        sa.select(article.c.product_id)
        # By their articles: no index has the product of a purchase.
        .join(purchase, purchase.c.article_id == article.c.id)
        .where(article.c.product_id.in_(list(product_ids)), visible_to(purchase.c, organisation_id))
        .group_by(article.c.product_id)
        .having(2 * once > sa.func.count())
    )
    return {found.product_id for found in rows}


def find_or_insert_article(
    connection: Connection, organisation_id: str, product_id: str, product_name: str
) -> int:
    """Return a wording of the product that the organisation may see; insert one where there is none."""
    known = connection.scalar(
        sa.select(article.c.id)
        .where(article.c.product_id == product_id, visible_to(article.c, organisation_id))
        .order_by(article.c.text != product_name, article.c.id)
        .limit(1)
    )
    if known is not None:
        return known
    last: int = connection.scalar(sa.select(sa.func.max(article.c.id))) or 0
    connection.execute(
        article.insert().values(
            id=last + 1,
            product_id=product_id,
            text=product_name,
            digest=digest_texts((product_name, organisation_id)),
            organisation_id=organisation_id,
        )
    )
    return last + 1
