"""Prices to compare an estimate with, from the database: the published list price of a product, and what
suppliers asked of the caller for it in other quotes."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date
from typing import Self

import sqlalchemy as sa
from sqlalchemy import Connection

from app.service.charges.charge import convert_price, price_of_month
from app.service.database.tables import article, list_price, purchase, quoted_price, scope
from app.service.database.visibility import owned_by, visible_to
from app.service.pricing.catalog_product import CatalogProduct
from app.service.pricing.rates.exchange import ExchangeRates
from app.service.purchase_records import PricePeriod, PriceQuery
from app.service.purchases.attributes import format_option
from app.service.scopes.quote import QuoteLine
from app.service.scopes.units import units_agree

_MAX_LIST_PRICES = 60
"""How many of the latest purchases with a list price are considered."""
_QUANTITY_RATIO = 3.0
"""Up to how many times more or less is still about the same quantity."""
_MAX_QUOTES = 10


@dataclass(frozen=True, slots=True)
class PublishedPrice:
    """A published price of one unit, a month's where the price is recurring. `quantity` and `stated_on` are
    those of the purchase that states it, None where the catalog does; of a price list there is a `scope_id`,
    that of the scope which was read from it, and `stated_on` is its day."""

    unit_price: float
    quantity: float | None = None
    stated_on: date | None = None
    scope_id: str | None = None


@dataclass(frozen=True, slots=True)
class EarlierQuote:
    """What a supplier asked for a product in another quote: `amount` before tax for the quantity and term.
    `term_months` is None for what is paid once; `recurring` is None where the quote does not say whether it
    is."""

    product_id: str
    scope_id: str
    line: int
    quoted_on: date
    quantity: float
    term_months: int | None
    amount: float
    currency: str
    recurring: bool | None = None

    def assume(self, *, recurring: bool) -> Self:
        """The quote, taken as `recurring` or as paid once where it does not say which."""
        return self if self.recurring is not None or recurring else replace(self, term_months=None)

    @property
    def unit_price(self) -> float:
        """Of one unit, and one month where a term is stated."""
        of_unit = self.amount / self.quantity
        return of_unit if self.term_months is None else convert_price(of_unit, self.term_months)


@dataclass(frozen=True, slots=True)
class _ListPriceOnPurchase:
    """A purchase that states the list price, of one unit and `price_period`."""

    purchase_date: date
    currency: str
    quantity: float
    unit: str | None
    attributes: Mapping[str, str | float]
    list_price: float
    price_period: PricePeriod
    term_months: int | None


def find_list_price(
    connection: Connection,
    organisation_id: str,
    product: CatalogProduct,
    query: PriceQuery,
    rates: ExchangeRates,
    *,
    recurring: bool,
    before: date,
) -> PublishedPrice | None:
    """The latest list price of the same edition and unit that a purchase states, at about the query's
    quantity where there is one, or a price list of the organisation that holds for that quantity; the
    catalog's price where the product was never bought."""
    listed = _find_in_price_lists(
        connection, organisation_id, product, query, rates, recurring=recurring, before=before
    )
    latest = connection.execute(
        sa.select(*(purchase.c[field.name] for field in fields(_ListPriceOnPurchase)))
        .join(article, article.c.id == purchase.c.article_id)
        .where(
            article.c.product_id == product.id,
            purchase.c.list_price.is_not(None),
            purchase.c.purchase_date < before,
            visible_to(purchase.c, organisation_id),
        )
        .order_by(purchase.c.purchase_date.desc(), purchase.c.id)
        .limit(_MAX_LIST_PRICES)
    )
    rows = [_ListPriceOnPurchase(*row) for row in latest]
    same = [row for row in rows if _is_same_article(row, query) and (row.price_period != "once") == recurring]
    asked = query.quantity or 0
    near = [row for row in same if asked / _QUANTITY_RATIO <= row.quantity <= asked * _QUANTITY_RATIO]
    for row in near or same:
        rate = rates.factor(row.currency, query.currency, row.purchase_date)
        price = price_of_month(row.list_price, row.price_period, row.term_months)
        if price is not None and rate == rate:  # it is NaN where there is no rate
            if listed is not None and listed.stated_on is not None and listed.stated_on >= row.purchase_date:
                return listed
            return PublishedPrice(price * rate, row.quantity, row.purchase_date)
    if listed is not None:
        return listed
    if (
        product.default_price is None
        or product.purchase_count
        or recurring
        or product.currency != query.currency
    ):
        return None
    return PublishedPrice(product.default_price)


def _is_same_article(row: _ListPriceOnPurchase, query: PriceQuery) -> bool:
    """Whether the purchase has the unit and the options that the query states."""
    if (row.unit or "").casefold() != (query.unit or "").casefold():
        return False
    return _has_options(row.attributes, query)


def _has_options(attributes: Mapping[str, str | float], query: PriceQuery) -> bool:
    return all(
        name in attributes and format_option(attributes[name]).casefold() == value.casefold()
        for name, value in query.attributes.items()
        if isinstance(value, str)
    )


def _find_in_price_lists(
    connection: Connection,
    organisation_id: str,
    product: CatalogProduct,
    query: PriceQuery,
    rates: ExchangeRates,
    *,
    recurring: bool,
    before: date,
) -> PublishedPrice | None:
    """The latest price of a price list of the organisation for the same options and unit, where it holds for
    the query's quantity."""
    latest = connection.execute(
        sa.select(list_price)
        .where(
            owned_by(list_price.c, organisation_id),
            list_price.c.product_id == product.id,
            list_price.c.listed_on <= before,
        )
        .order_by(list_price.c.listed_on.desc(), list_price.c.id.desc(), list_price.c.line)
        .limit(_MAX_LIST_PRICES)
    ).all()
    for row in latest:
        price = price_of_month(row.unit_price, row.price_period, None)
        rate = rates.factor(row.currency, query.currency, row.listed_on)
        holds = _holds_for(query.quantity, row.from_quantity, row.to_quantity)
        if (
            holds
            and (row.price_period != "once") == recurring
            and (not row.unit or not query.unit or units_agree(row.unit, query.unit))
            and _has_options(row.attributes, query)
            and price is not None
            and rate == rate
        ):
            return PublishedPrice(price * rate, row.from_quantity, row.listed_on, row.scope_id)
    return None


def _holds_for(quantity: float | None, first: float | None, last: float | None) -> bool:
    if quantity is None:
        return first is None or first <= 1
    return (first is None or first <= quantity) and (last is None or quantity <= last)


def load_quoted_prices(
    connection: Connection,
    organisation_id: str,
    product_ids: Collection[str],
    excluded_scopes: Collection[str],
) -> Mapping[str, Sequence[EarlierQuote]]:
    """What suppliers asked of the organisation for each of these products, the latest first; without the
    quotes of `excluded_scopes` and of other scopes read from the same documents."""
    quotes: dict[str, list[EarlierQuote]] = {product_id: [] for product_id in product_ids}
    documents = sa.select(scope.c.document_scope_id).where(scope.c.id.in_(list(excluded_scopes)))
    same = sa.select(scope.c.id).where(scope.c.document_scope_id.in_(documents))
    rows = connection.execute(
        sa.select(*(quoted_price.c[one.name] for one in fields(EarlierQuote) if one.name != "recurring"))
        .where(
            owned_by(quoted_price.c, organisation_id),
            quoted_price.c.product_id.in_(product_ids),
            quoted_price.c.quantity > 0,
            quoted_price.c.scope_id.not_in(list(excluded_scopes)),
            quoted_price.c.scope_id.not_in(same),
        )
        .order_by(quoted_price.c.quoted_on.desc(), quoted_price.c.id)
    )
    for row in rows:
        earlier = EarlierQuote(*row)
        if len(quotes[earlier.product_id]) < _MAX_QUOTES:
            quotes[earlier.product_id].append(earlier)
    recurring = _load_recurrence(connection, {one.scope_id for found in quotes.values() for one in found})
    return {
        product_id: [replace(one, recurring=recurring.get((one.scope_id, one.line))) for one in found]
        for product_id, found in quotes.items()
    }


def _load_recurrence(
    connection: Connection, scope_ids: Collection[str]
) -> Mapping[tuple[str, int], bool | None]:
    """Whether the lines of the quotes behind these scopes recur, by the scope and the line."""
    rows = connection.execute(sa.select(scope.c.id, scope.c.quote_lines).where(scope.c.id.in_(scope_ids)))
    return {
        (row.id, line.index): line.recurring
        for row in rows
        for line in map(QuoteLine.from_record, row.quote_lines or ())
    }
