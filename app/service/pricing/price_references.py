"""What the database says of a priced product beside its comparables: its published list price, and what the
caller was asked for it in other quotes."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, Row

from app.service.database.tables.purchases import article, purchase, quoted_price
from app.service.database.tables.scopes import scope
from app.service.database.visibility import owned_by, visible_to
from app.service.pricing.rates.exchange import ExchangeRates
from app.service.purchase_records.query import PriceQuery
from app.service.purchase_records.records import MONTHS_IN
from app.service.purchases.attributes import option_label

_MAX_LIST_PRICES = 60
"""Purchases with a list price that are looked at, the latest."""
_QUANTITY_RATIO = 3.0
"""How many times more or less of it is still about this quantity."""
_MAX_QUOTES = 10


@dataclass(frozen=True, slots=True)
class PublishedPrice:
    """A published price of one unit, a month's where `recurring`; `quantity` and `stated_on` of the purchase
    that names it, None where the catalog does."""

    unit_price: float
    quantity: float | None = None
    stated_on: date | None = None


def find_list_price(
    connection: Connection,
    organisation_id: str,
    product: Row[Any],
    query: PriceQuery,
    rates: ExchangeRates,
    *,
    recurring: bool,
    before: date,
) -> PublishedPrice | None:
    """The latest list price of the same edition and unit, at about the quantity asked for where there is one;
    the catalog's where nothing was bought at any price."""
    rows = connection.execute(
        sa.select(
            *(purchase.c[name] for name in ("purchase_date", "currency", "quantity", "unit", "attributes")),
            *(purchase.c[name] for name in ("list_price", "price_period", "term_months")),
        )
        .join(article, article.c.id == purchase.c.article_id)
        .where(
            article.c.product_id == product.id,
            purchase.c.list_price.is_not(None),
            purchase.c.purchase_date < before,
            visible_to(purchase.c, organisation_id),
        )
        .order_by(purchase.c.purchase_date.desc(), purchase.c.id)
        .limit(_MAX_LIST_PRICES)
    ).all()
    same = [row for row in rows if _is_same_article(row, query) and (row.price_period != "once") == recurring]
    near = [row for row in same if 1 / _QUANTITY_RATIO <= row.quantity / query.quantity <= _QUANTITY_RATIO]
    for row in near or same:
        rate = rates.factor(row.currency, query.currency, row.purchase_date)
        if rate == rate:  # NaN where no rate says so
            months = MONTHS_IN.get(row.price_period) or row.term_months or 1
            unit_price = row.list_price * rate / (months if recurring else 1)
            return PublishedPrice(unit_price, row.quantity, row.purchase_date)
    usual: float | None = product.default_price
    if usual is None or product.purchase_count or recurring or product.currency != query.currency:
        return None
    return PublishedPrice(usual)


def _is_same_article(row: Row[Any], query: PriceQuery) -> bool:
    """Of the unit and the choices that the query states."""
    if (row.unit or "").casefold() != (query.unit or "").casefold():
        return False
    attributes: Mapping[str, str | float] = row.attributes
    return all(
        name in attributes and option_label(attributes[name]).casefold() == value.casefold()
        for name, value in query.attributes.items()
        if isinstance(value, str)
    )


def load_quoted_prices(
    connection: Connection, organisation_id: str, product_ids: Collection[str], without: Collection[str]
) -> Mapping[str, Sequence[Row[Any]]]:
    """What suppliers asked of the organisation for these products, by product, the latest first; not in the
    scopes `without`, nor in others that have the same document behind them."""
    found: dict[str, list[Row[Any]]] = {product_id: [] for product_id in product_ids}
    documents = sa.select(scope.c.document_scope_id).where(scope.c.id.in_(list(without)))
    same = sa.select(scope.c.id).where(scope.c.document_scope_id.in_(documents))
    rows = connection.execute(
        sa.select(quoted_price)
        .where(
            owned_by(quoted_price.c, organisation_id),
            quoted_price.c.product_id.in_(product_ids),
            quoted_price.c.scope_id.not_in(list(without)),
            quoted_price.c.scope_id.not_in(same),
        )
        .order_by(quoted_price.c.quoted_on.desc(), quoted_price.c.id)
    )
    for row in rows:
        if len(found[row.product_id]) < _MAX_QUOTES:
            found[row.product_id].append(row)
    return found
