"""Past purchases as stored: whole for the estimator, and in the detail that a person is shown."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from decimal import Decimal

import sqlalchemy as sa
from sqlalchemy import Connection, RowMapping

from app.service.catalog.learning_sample import SampledPurchase
from app.service.database.tables import article, company, product, purchase, purchase_with_product
from app.service.database.visibility import CALLER, as_seen_by, shared, visible_to
from app.service.pricing.catalog_product import CatalogProduct
from app.service.purchase_records import Purchase
from app.service.scopes.units import remove_period, unit_words, units_agree


def load_purchases(connection: Connection, purchase_ids: Sequence[str]) -> list[Purchase]:
    """Purchases as the estimator compares them, with the ids of supplier and family for their names."""
    if not purchase_ids:
        return []
    rows = connection.execute(_PURCHASES.where(purchase.c.id.in_(purchase_ids))).mappings()
    return [_to_purchase(row) for row in rows]


def load_latest_purchases(connection: Connection, number: int, *, sample: bool) -> list[Purchase]:
    """The latest purchases that every caller may see: those of sample suppliers, or all others."""
    if sample:
        # By supplier: of many real purchases, all would be looked through for the few that are invented.
        invented = connection.scalars(sa.select(company.c.id).where(company.c.sample.is_(sa.true()))).all()
        sold = sa.select(product.c.id).where(product.c.company_id.in_(invented))
        of_kind = purchase.c.article_id.in_(sa.select(article.c.id).where(article.c.product_id.in_(sold)))
    else:
        # A condition instead of a join: the planner would begin with all articles.
        of_kind = sa.exists().where(article.c.id == purchase.c.article_id, article.c.sample.is_(sa.false()))
    by_date = purchase.c.purchase_date.desc(), purchase.c.id
    latest = sa.select(purchase.c.id).where(shared(purchase.c), of_kind).order_by(*by_date).limit(number)
    rows = connection.execute(_PURCHASES.where(purchase.c.id.in_(latest)).order_by(*by_date)).mappings()
    return [_to_purchase(row) for row in rows]


_PURCHASES = sa.select(
    purchase,
    *(article.c.product_id, article.c.text, article.c.brand, article.c.category),
    *(product.c.item_id, product.c.family_id, product.c.company_id),
).select_from(purchase_with_product)


@dataclass(frozen=True)
class PurchaseDetails(SampledPurchase):
    """What is shown of a purchase. `unit_price` and `list_price` are of one unit and `price_period`, in
    `currency`; `text` is the product as the purchase names it."""

    unit: str | None
    list_price: float | None
    currency: str
    text: str
    supplier: str


def load_purchase_details(
    connection: Connection, purchase_ids: Collection[str]
) -> dict[str, PurchaseDetails]:
    """What is shown of purchases, by id."""
    rows = connection.execute(_DETAILS, {"ids": list(purchase_ids)})
    return {row.id: PurchaseDetails(*row) for row in rows}


_OF_OTHER_TABLES = {"text": article.c.text, "supplier": company.c.name.label("supplier")}
_DETAILS = (
    sa.select(
        *(
            _OF_OTHER_TABLES[field.name] if field.name in _OF_OTHER_TABLES else purchase.c[field.name]
            for field in fields(PurchaseDetails)
        )
    )
    .select_from(purchase_with_product.join(company, company.c.id == product.c.company_id))
    .where(purchase.c.id.in_(sa.bindparam("ids", expanding=True)))
)


_SEEN_COMPANY = as_seen_by(company, CALLER).c
_COUNTS = sa.select(_SEEN_COMPANY.id, _SEEN_COMPANY.real_purchase_count).where(
    _SEEN_COMPANY.id.in_(sa.bindparam("ids", expanding=True))
)


def load_purchase_counts(
    connection: Connection, organisation_id: str, company_ids: Collection[str]
) -> dict[str, int]:
    """How many purchases of the past two years are on record of each company, as last counted."""
    rows = connection.execute(_COUNTS, {"ids": list(company_ids), "organisation": organisation_id})
    return {row[0]: row[1] for row in rows}


def _to_purchase(row: RowMapping) -> Purchase:
    unit_price = Decimal(repr(row["unit_price"]))
    quantity = Decimal(repr(row["quantity"]))
    return Purchase(
        id=row["id"],
        purchase_date=row["purchase_date"],
        supplier=row["company_id"],
        product=row["text"],
        product_key=row["product_id"],
        item_id=row["item_id"],
        product_family=row["family_id"],
        brand=row["brand"],
        category=row["category"],
        quantity=quantity,
        unit=row["unit"],
        unit_price=unit_price,
        total_price=unit_price * quantity,
        currency=row["currency"],
        term_months=row["term_months"],
        price_period=row["price_period"],
        purchase_type=row["purchase_type"],
        list_price=None if row["list_price"] is None else Decimal(repr(row["list_price"])),
        buyer=row["buyer"],
        order_id=row["order_id"],
        attributes=row["attributes"],
    )


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
