"""The purchases that may be comparable, found in the database."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from functools import cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, Row

from app.service.catalog.purchase_counts import in_past_two_years
from app.service.database.dialect import Columns, Dialect, dialect_of, latest_of_each
from app.service.database.tables.catalog import company, product
from app.service.database.tables.purchases import article, purchase
from app.service.database.visibility import CALLER, as_seen_by, shared, visible_to
from app.service.database.word_search import any_of_words, articles_with_words
from app.service.pricing.estimator.candidates import Candidates
from app.service.pricing.rates.exchange import NO_RATES, ExchangeRates
from app.service.purchase_records.packing import code_of, pack
from app.service.purchase_records.query import FACETS
from app.service.purchase_records.records import Purchase
from app.service.purchases.competitors import SHORTEST_NUMBER

Owners = sa.Select[int, str]
"""Id and text of articles."""
Found = (
    sa.Select[str, str, bytes | None, str | None, str]
    | sa.CompoundSelect[str, str, bytes | None, str | None, str]
)
"""Id, wording, packed form, owner (null: everybody's) and currency of purchases."""
FoundRow = Row[str, str, bytes | None, str | None, str]
Statement = Callable[[Dialect, bool], Found]
"""By the store's dialect, and whether purchases in any of several currencies are asked for."""


@dataclass(frozen=True)
class FoundComparables:
    """Purchases that may be comparable; the ids of those that are the caller's own and of those that were
    paid in another currency."""

    candidates: Candidates
    own: frozenset[str]
    converted: frozenset[str]


@dataclass(frozen=True)
class _SearchLimits:
    """A way of finding comparables: through the latest `articles` that meet a condition, the latest
    purchases of each, and of all those the latest. More adds time and next to nothing."""

    articles: int
    of_each: int
    purchases: int


OF_PRODUCT = _SearchLimits(articles=60, of_each=120, purchases=120)
OF_FAMILY = _SearchLimits(articles=60, of_each=10, purchases=60)
OF_WORDING = _SearchLimits(articles=60, of_each=4, purchases=240)
OF_SUPPLIER = _SearchLimits(articles=60, of_each=10, purchases=60)


class ComparableFinder:
    """Finds purchases that a caller may know, made before a day. What the products of a scope have in common
    (they are often one supplier's) is read once."""

    def __init__(
        self,
        connection: Connection,
        organisation_id: str,
        currency: str,
        *,
        before: date,
        exclude: Collection[str] = (),
        rates: ExchangeRates = NO_RATES,
    ) -> None:
        self._connection = connection
        self._currency, self._rates = currency, rates
        self._others = rates.convertible_currencies(currency)
        self._dialect = dialect_of(connection)
        self._visible: dict[str, object] = {"organisation": organisation_id, "before": before}
        if self._others:
            self._visible["currencies"] = [currency, *sorted(self._others)]
        else:
            self._visible["currency"] = currency
        self._exclude = exclude
        self._read: dict[tuple[Statement, str], Sequence[FoundRow]] = {}

    def find(self, product: Row[Any], distinctive_words: str) -> FoundComparables:
        """Purchases of a product (its row, as `product_rows` has it), of its family, like `wording` and of
        its supplier, each once: the deployment's and the organisation's own, of invented suppliers only for a
        product of one."""
        words = any_of_words(self._dialect, distinctive_words)
        found: dict[str, tuple[str, bytes | None]] = {}
        own: set[str] = set()
        converted: set[str] = set()
        sample: bool = product.company_sample
        number = product.item_key if len(product.item_key or "") >= SHORTEST_NUMBER else None
        identical = self._execute(_by_item_number, owner=number, sample=sample) if number else ()
        for rows in (
            self._execute(_by_product_and_words, sample=sample, product=product.id, words=words),
            self._execute_once(_by_family, product.family_id, sample) if product.family_id else (),
            self._execute_once(_by_supplier, product.company_id, sample),
            identical,
        ):
            for row_id, text, packed, owner, currency in rows:
                found[row_id] = text, packed
                if owner is not None:
                    own.add(row_id)
                if currency != self._currency:
                    converted.add(row_id)
        for row_id in self._exclude:
            found.pop(row_id, None)
        unpacked = [row_id for row_id, (_, packed) in found.items() if packed is None]
        for purchase_ in load_purchases(self._connection, unpacked):
            found[purchase_.id] = purchase_.product, pack(purchase_)
        kept = [(row_id, text, packed) for row_id, (text, packed) in found.items() if packed is not None]
        candidates = Candidates.from_packed(
            [row_id for row_id, _, _ in kept],
            [text for _, text, _ in kept],
            [packed for _, _, packed in kept],
        )
        candidates = _with_product_key(candidates, product.id, {row_id for row_id, *_ in identical})
        if self._others:
            candidates = self._rates.convert(candidates, self._others, self._currency)
        return FoundComparables(candidates, frozenset(own), frozenset(converted))

    def _execute_once(self, statement: Statement, owner: str, sample: bool) -> Sequence[FoundRow]:
        rows = self._read.get((statement, owner))
        if rows is None:
            rows = self._read[statement, owner] = self._execute(statement, owner=owner, sample=sample)
        return rows

    def _execute(self, statement: Statement, **parameters: str | bool) -> Sequence[FoundRow]:
        asked = statement(self._dialect, bool(self._others))
        return self._connection.execute(asked, {**self._visible, **parameters}).all()


@cache
def _by_product_and_words(dialect: Dialect, several: bool) -> Found:
    """In one statement: a round trip takes as long as either."""
    own = sa.select(article.c.id, article.c.text).where(
        article.c.product_id == sa.bindparam("product"), _is_comparable(article.c)
    )
    of_product = _latest_purchases_of(
        dialect, several, OF_PRODUCT, own.order_by(article.c.id.desc()).limit(OF_PRODUCT.articles)
    )
    worded = articles_with_words(dialect, OF_WORDING.articles, _is_comparable(article.c))
    of_wording = _latest_purchases_of(dialect, several, OF_WORDING, worded)
    return sa.union_all(*(sa.select(way.subquery()) for way in (of_product, of_wording)))


@cache
def _by_family(dialect: Dialect, several: bool) -> Found:
    sold = sa.select(product.c.id).where(product.c.family_id == sa.bindparam("owner"))
    return _latest_purchases_of(dialect, several, OF_FAMILY, _latest_articles(sold, OF_FAMILY))


@cache
def _by_supplier(dialect: Dialect, several: bool) -> Found:
    sold = sa.select(product.c.id).where(product.c.company_id == sa.bindparam("owner"))
    return _latest_purchases_of(dialect, several, OF_SUPPLIER, _latest_articles(sold, OF_SUPPLIER))


@cache
def _by_item_number(dialect: Dialect, several: bool) -> Found:
    """Of every product with the same item number, whoever sells it."""
    sold = sa.select(product.c.id).where(product.c.item_key == sa.bindparam("owner"))
    articles = sa.select(article.c.id, article.c.text).where(
        article.c.product_id.in_(sold), _is_comparable(article.c)
    )
    last = articles.order_by(article.c.id.desc()).limit(OF_PRODUCT.articles)
    return _latest_purchases_of(dialect, several, OF_PRODUCT, last)


def _with_product_key(candidates: Candidates, product_id: str, ids: Collection[str]) -> Candidates:
    """The candidates with those of `ids`, which have the product's telling item number, as purchases of
    it."""
    rows = [row for row, key in enumerate(candidates.ids) if key in ids]
    if not rows:
        return candidates
    facets = candidates.facets.copy()
    facets[rows, FACETS.index("product_key")] = code_of("product_key", product_id)
    return replace(candidates, facets=facets)


def _latest_articles(products: sa.Select[str], way: _SearchLimits) -> Owners:
    """An article of each of some products: those of one product are much alike."""
    some = products.where(visible_to(product.c, CALLER)).order_by(product.c.id.desc()).limit(way.articles)
    latest = (
        sa.select(sa.func.max(article.c.id))
        .where(article.c.product_id.in_(some), _is_comparable(article.c))
        .group_by(article.c.product_id)
    )
    return sa.select(article.c.id, article.c.text).where(article.c.id.in_(latest))


def _latest_purchases_of(dialect: Dialect, several: bool, way: _SearchLimits, owners: Owners) -> Found:
    """The purchases that a caller may know, of these articles."""
    wanted = owners.subquery("wanted")
    source, columns = latest_of_each(
        dialect,
        purchase,
        "article_id",
        wanted,
        "purchase_date",
        _in_any_currency if several else _in_one_currency,
        most=way.of_each,
    )
    return (
        sa.select(columns.id, wanted.c.text, columns.packed, columns.organisation_id, columns.currency)
        .select_from(source)
        .order_by(columns.purchase_date.desc())
        .limit(way.purchases)
    )


def _in_one_currency(row: Columns) -> sa.ColumnElement[bool]:
    return sa.and_(_is_visible(row), row.currency == sa.bindparam("currency"))


def _in_any_currency(row: Columns) -> sa.ColumnElement[bool]:
    return sa.and_(_is_visible(row), row.currency.in_(sa.bindparam("currencies", expanding=True)))


def _is_visible(row: Columns) -> sa.ColumnElement[bool]:
    return sa.and_(
        visible_to(row, CALLER),
        row.purchase_date < sa.bindparam("before"),
    )


def _is_comparable(row: Columns) -> sa.ColumnElement[bool]:
    """Of rows of `article`: invented suppliers' are held against each other alone."""
    return sa.and_(visible_to(row, CALLER), row.sample == sa.bindparam("sample", type_=sa.Boolean))


def load_purchases(connection: Connection, purchase_ids: Sequence[str]) -> list[Purchase]:
    """Purchases as the estimator compares them: supplier and family by their ids."""
    rows = connection.execute(_WHOLE.where(purchase.c.id.in_(purchase_ids))) if purchase_ids else ()
    return [_to_purchase(row) for row in rows]


def load_latest_purchases(connection: Connection, number: int, *, sample: bool) -> list[Purchase]:
    """The latest purchases that every caller may know: those of invented suppliers, or all others."""
    known = sa.and_(shared(purchase.c), article.c.sample.is_(sa.true() if sample else sa.false()))
    latest = _WHOLE.where(known).order_by(purchase.c.purchase_date.desc(), purchase.c.id).limit(number)
    return [_to_purchase(row) for row in connection.execute(latest)]


_WHOLE = sa.select(purchase, article.c.text.label("wording"), article.c.brand, article.c.category).join(
    article, article.c.id == purchase.c.article_id
)


def load_purchase_details(connection: Connection, purchase_ids: Collection[str]) -> dict[str, Row[Any]]:
    """What is shown of purchases, by id."""
    rows = connection.execute(_SHOWN, {"ids": list(purchase_ids)})
    return {row.id: row for row in rows}


_NAMES_SHOWN = (
    *("id", "purchase_date", "quantity", "unit", "unit_price", "list_price", "price_period", "term_months"),
    *("attributes", "currency", "organisation_id"),
)
_SHOWN = (
    sa.select(
        *(purchase.c[name] for name in _NAMES_SHOWN),
        article.c.text.label("wording"),
        company.c.name.label("supplier"),
        company.c.organisation_id.label("supplier_owner"),
    )
    .join(article, article.c.id == purchase.c.article_id)
    .join(company, company.c.id == purchase.c.company_id)
    .where(purchase.c.id.in_(sa.bindparam("ids", expanding=True)))
)


def load_products(
    connection: Connection, product_ids: Collection[str], organisation_id: str
) -> dict[str, Row[Any]]:
    """The catalog's rows of products as the organisation sees them, with their company's name and whether it
    is an invented one."""
    asked = {"ids": list(product_ids), "organisation": organisation_id}
    return {row.id: row for row in connection.execute(_SOLD, asked)}


_SEEN = as_seen_by(product, CALLER)
_SOLD = (
    sa.select(_SEEN, company.c.name.label("company_name"), company.c.sample.label("company_sample"))
    .join(company, company.c.id == _SEEN.c.company_id)
    .where(_SEEN.c.id.in_(sa.bindparam("ids", expanding=True)))
)


def count_purchases(
    connection: Connection, organisation_id: str, company_ids: Collection[str], today: date
) -> dict[str, int]:
    """Purchases on record of each company in the past two years."""
    counted = connection.execute(
        sa.select(purchase.c.company_id, sa.func.count())
        .where(
            purchase.c.company_id.in_(company_ids),
            in_past_two_years(purchase.c, today),
            visible_to(purchase.c, organisation_id),
        )
        .group_by(purchase.c.company_id)
    )
    return {row[0]: row[1] for row in counted}


def _to_purchase(row: Row[Any]) -> Purchase:
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
