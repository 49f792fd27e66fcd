"""Why nothing can be estimated, and what would mend it."""

from collections.abc import Sequence

import sqlalchemy as sa
from sqlalchemy import Connection

from app.service.database.tables.purchases import article, purchase
from app.service.database.visibility import visible_to
from app.service.pricing.distribution import NotEstimable
from app.service.pricing.estimating import PricedProduct


def why_not_priced(
    connection: Connection, organisation_id: str, parts: Sequence[PricedProduct], currency: str
) -> str:
    """Sentences for a person: what is missing of each product, and what would help."""
    refused = [(part.product, part.price) for part in parts if isinstance(part.price, NotEstimable)]
    missing = "; ".join(dict.fromkeys(f"{product.name}: {price.reason}" for product, price in refused))
    elsewhere = _other_currencies(
        connection, organisation_id, [product.id for product, _ in refused], currency
    )
    suppliers = ", ".join(dict.fromkeys(product.company_name for product, _ in refused))
    helps = (
        f"What would help: purchases from {suppliers} in {currency}, your own among them, or a second quote "
        "to compare with."
    )
    if elsewhere:
        helps = (
            f"Purchases of it are on record in {', '.join(elsewhere)}: exchange rates between those and "
            f"{currency} (parley import rates) would make them count. {helps}"
        )
    return f"Nothing can be estimated. {missing}. {helps}"


def _other_currencies(
    connection: Connection, organisation_id: str, product_ids: Sequence[str], currency: str
) -> Sequence[str]:
    """In which other currencies these products were bought, as far as the caller may know."""
    return connection.scalars(
        sa.select(purchase.c.currency)
        .join(article, article.c.id == purchase.c.article_id)
        .where(
            article.c.product_id.in_(product_ids),
            purchase.c.currency != currency,
            visible_to(purchase.c, organisation_id),
        )
        .distinct()
        .order_by(purchase.c.currency)
    ).all()
