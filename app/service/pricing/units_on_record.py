"""The unit of a purchase that is put on record, as an estimate of its product asks for it: in other words it
would count as a purchase in another unit."""

from collections import defaultdict
from collections.abc import Collection, Mapping

import sqlalchemy as sa
from sqlalchemy import Connection

from app.service.database.tables.purchases import article, purchase
from app.service.database.visibility import visible_to
from app.service.pricing.catalog_product import CatalogProduct
from app.service.scopes.units import remove_period, unit_words, units_agree


def load_units(
    connection: Connection, organisation_id: str, product_ids: Collection[str]
) -> Mapping[str, set[str]]:
    """Return by product the units of the purchases that an organisation sees."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    rows = connection.execute(
        sa.select(article.c.product_id, purchase.c.unit)
        # By their articles: no index has the product of a purchase.
        .join(purchase, purchase.c.article_id == article.c.id)
        .where(
            article.c.product_id.in_(list(product_ids)),
            visible_to(purchase.c, organisation_id),
            purchase.c.unit.is_not(None),
        )
        .distinct()
    )
    for product_id, unit in rows:
        found[product_id].add(unit)
    return found


def choose_unit(
    product: CatalogProduct, chosen: str | None, on_record: Collection[str], stated: str | None = None
) -> str | None:
    """Return the unit of a purchase: the one that a scope has `chosen`, else that of the product's quantity
    where purchases on record have it. Words that are `stated` count only where they name another unit."""
    label = product.quantity_unit
    has_label = label is not None and label.casefold() in {unit.casefold() for unit in on_record}
    asked = chosen or (label if has_label else None)
    known = asked or label
    if stated is None or (known is not None and units_agree(stated, known)) or not unit_words(stated):
        return asked
    alike = (unit for unit in sorted(on_record) if unit_words(unit) == unit_words(stated))
    return next(alike, remove_period(stated))
