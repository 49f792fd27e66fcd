"""Why nothing can be estimated, and what would mend it."""

from collections.abc import Sequence

import sqlalchemy as sa
from sqlalchemy import Connection

from app.service.database.tables.purchases import article, purchase
from app.service.database.visibility import visible_to
from app.service.pricing.distribution import NotEstimable
from app.service.pricing.estimating import PricedProduct

MOST_NAMED = 3
"""Products and suppliers that a sentence names."""


def why_not_priced(
    connection: Connection, organisation_id: str, parts: Sequence[PricedProduct], currency: str
) -> str:
    """Sentences for a person: what is missing of each product, and what would help."""
    refused = [(part.product, part.price) for part in parts if isinstance(part.price, NotEstimable)]
    of_reason: dict[str, list[str]] = {}
    for product, price in refused:
        of_reason.setdefault(price.reason, []).append(product.name)
    missing = "; ".join(
        f"{_listed(list(dict.fromkeys(names)))}: {reason}" for reason, names in of_reason.items()
    )
    elsewhere = _other_currencies(
        connection, organisation_id, [product.id for product, _ in refused], currency
    )
    suppliers = _listed(list(dict.fromkeys(product.company_name for product, _ in refused)))
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


def _listed(names: Sequence[str]) -> str:
    """The first few, and how many more there are."""
    more = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


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
