"""Finds the past purchases that may be comparable with a product, in the database."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache

import sqlalchemy as sa
from sqlalchemy import Connection, Row

from app.service.database.dialect import Columns, Dialect, dialect_of, latest_of_each
from app.service.database.tables.catalog import product
from app.service.database.tables.purchases import article, purchase
from app.service.database.visibility import CALLER, visible_to
from app.service.database.word_search import any_of_words, articles_with_words
from app.service.pricing.catalog_product import CatalogProduct
from app.service.pricing.estimator.candidates import Candidates
from app.service.pricing.past_purchases import load_purchases
from app.service.pricing.rates.exchange import NO_RATES, ExchangeRates
from app.service.purchase_records.packing import encode_value, pack
from app.service.purchase_records.query import FACETS
from app.service.purchases.competitors import MIN_ITEM_NUMBER_LENGTH

ArticlesQuery = sa.Select[int, str]
"""Selects the id and text of articles."""
PurchasesQuery = (
    sa.Select[str, str, bytes | None, str | None, str]
    | sa.CompoundSelect[str, str, bytes | None, str | None, str]
)
"""Selects the id, text, packed form, owner (null: everybody's) and currency of purchases."""
PurchaseRow = Row[str, str, bytes | None, str | None, str]
BuildQuery = Callable[[Dialect, bool], PurchasesQuery]
"""Builds a query for a dialect, for purchases in one currency or, if True, in any of several."""


@dataclass(frozen=True)
class FoundComparables:
    """Purchases that may be comparable, with the ids of the caller's own and of those paid in another
    currency."""

    candidates: Candidates
    own_ids: frozenset[str]
    converted_ids: frozenset[str]


@dataclass(frozen=True)
class _SearchLimits:
    """The limits of one way to find comparables: how many of the latest articles that meet a condition, how
    many of the latest purchases of each, and how many of those in all. Higher ones add time and hardly any
    accuracy."""

    articles: int
    purchases_per_article: int
    purchases: int


BY_PRODUCT = _SearchLimits(articles=60, purchases_per_article=120, purchases=120)
BY_FAMILY = _SearchLimits(articles=60, purchases_per_article=10, purchases=60)
BY_WORDS = _SearchLimits(articles=60, purchases_per_article=4, purchases=240)
BY_SUPPLIER = _SearchLimits(articles=60, purchases_per_article=10, purchases=60)


class ComparableFinder:
    """Finds the purchases that a caller may see, made before a day. The purchases of a family or a supplier
    are read once for all products of a scope, which are often one supplier's."""

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
        self._other_currencies = rates.convertible_currencies(currency)
        self._dialect = dialect_of(connection)
        self._parameters: dict[str, object] = {"organisation": organisation_id, "before": before}
        if self._other_currencies:
            self._parameters["currencies"] = [currency, *sorted(self._other_currencies)]
        else:
            self._parameters["currency"] = currency
        self._exclude = exclude
        self._rows: dict[tuple[BuildQuery, str], Sequence[PurchaseRow]] = {}

    def find(self, product: CatalogProduct, distinctive_words: str) -> FoundComparables:
        """Find purchases of the product, of its family, of its supplier, with its item number and with its
        distinctive words, each once: those that everybody sees and the organisation's own. Purchases of
        sample suppliers are found only for a product of one."""
        words = any_of_words(self._dialect, distinctive_words)
        found: dict[str, tuple[str, bytes | None]] = {}
        own_ids: set[str] = set()
        converted_ids: set[str] = set()
        sample = product.company_sample
        item_number = product.item_key if len(product.item_key or "") >= MIN_ITEM_NUMBER_LENGTH else None
        same_item = self._execute(_by_item_number, owner=item_number, sample=sample) if item_number else ()
        for rows in (
            self._execute(_by_product_and_words, sample=sample, product=product.id, words=words),
            self._execute_once(_by_family, product.family_id, sample) if product.family_id else (),
            self._execute_once(_by_supplier, product.company_id, sample),
            same_item,
        ):
            for row_id, text, packed, owner, currency in rows:
                found[row_id] = text, packed
                if owner is not None:
                    own_ids.add(row_id)
                if currency != self._currency:
                    converted_ids.add(row_id)
        for row_id in self._exclude:
            found.pop(row_id, None)
        unpacked = [row_id for row_id, (_, packed) in found.items() if packed is None]
        for unpacked_purchase in load_purchases(self._connection, unpacked):
            found[unpacked_purchase.id] = unpacked_purchase.product, pack(unpacked_purchase)
        packed_rows = [
            (row_id, text, packed) for row_id, (text, packed) in found.items() if packed is not None
        ]
        candidates = Candidates.from_packed(
            [row_id for row_id, _, _ in packed_rows],
            [text for _, text, _ in packed_rows],
            [packed for _, _, packed in packed_rows],
        )
        candidates = _with_product_key(candidates, product.id, {row_id for row_id, *_ in same_item})
        if self._other_currencies:
            candidates = self._rates.convert(candidates, self._other_currencies, self._currency)
        return FoundComparables(candidates, frozenset(own_ids), frozenset(converted_ids))

    def _execute_once(self, build: BuildQuery, owner: str, sample: bool) -> Sequence[PurchaseRow]:
        rows = self._rows.get((build, owner))
        if rows is None:
            rows = self._rows[build, owner] = self._execute(build, owner=owner, sample=sample)
        return rows

    def _execute(self, build: BuildQuery, **parameters: str | bool) -> Sequence[PurchaseRow]:
        query = build(self._dialect, bool(self._other_currencies))
        return self._connection.execute(query, {**self._parameters, **parameters}).all()


@cache
def _by_product_and_words(dialect: Dialect, several: bool) -> PurchasesQuery:
    """Both in one statement, because a round trip takes as long as either."""
    of_product = sa.select(article.c.id, article.c.text).where(
        article.c.product_id == sa.bindparam("product"), _is_comparable(article.c)
    )
    purchases_of_product = _latest_purchases_of(
        dialect, several, BY_PRODUCT, of_product.order_by(article.c.id.desc()).limit(BY_PRODUCT.articles)
    )
    with_words = articles_with_words(dialect, BY_WORDS.articles, _is_comparable(article.c))
    purchases_with_words = _latest_purchases_of(dialect, several, BY_WORDS, with_words)
    return sa.union_all(
        *(sa.select(query.subquery()) for query in (purchases_of_product, purchases_with_words))
    )


@cache
def _by_family(dialect: Dialect, several: bool) -> PurchasesQuery:
    sold = sa.select(product.c.id).where(product.c.family_id == sa.bindparam("owner"))
    return _latest_purchases_of(dialect, several, BY_FAMILY, _latest_articles(sold, BY_FAMILY))


@cache
def _by_supplier(dialect: Dialect, several: bool) -> PurchasesQuery:
    sold = sa.select(product.c.id).where(product.c.company_id == sa.bindparam("owner"))
    return _latest_purchases_of(dialect, several, BY_SUPPLIER, _latest_articles(sold, BY_SUPPLIER))


@cache
def _by_item_number(dialect: Dialect, several: bool) -> PurchasesQuery:
    """The latest purchases of every product with the same item number, whoever sells it."""
    sold = sa.select(product.c.id).where(product.c.item_key == sa.bindparam("owner"))
    articles = sa.select(article.c.id, article.c.text).where(
        article.c.product_id.in_(sold), _is_comparable(article.c)
    )
    latest = articles.order_by(article.c.id.desc()).limit(BY_PRODUCT.articles)
    return _latest_purchases_of(dialect, several, BY_PRODUCT, latest)


def _with_product_key(candidates: Candidates, product_id: str, ids: Collection[str]) -> Candidates:
    """The candidates, with those of `ids` as purchases of this product: they have its item number."""
    rows = [row for row, key in enumerate(candidates.ids) if key in ids]
    if not rows:
        return candidates
    facets = candidates.facets.copy()
    facets[rows, FACETS.index("product_key")] = encode_value("product_key", product_id)
    return replace(candidates, facets=facets)


def _latest_articles(products: sa.Select[str], limits: _SearchLimits) -> ArticlesQuery:
    """Select the latest article of each of some products, whose articles are much alike."""
    latest_products = (
        products.where(visible_to(product.c, CALLER)).order_by(product.c.id.desc()).limit(limits.articles)
    )
    latest = (
        sa.select(sa.func.max(article.c.id))
        .where(article.c.product_id.in_(latest_products), _is_comparable(article.c))
        .group_by(article.c.product_id)
    )
    return sa.select(article.c.id, article.c.text).where(article.c.id.in_(latest))


def _latest_purchases_of(
    dialect: Dialect, several: bool, limits: _SearchLimits, articles: ArticlesQuery
) -> PurchasesQuery:
    """Select the latest purchases of these articles that the caller may see."""
    found = articles.subquery("wanted")
    source, columns = latest_of_each(
        dialect,
        purchase,
        "article_id",
        found,
        "purchase_date",
        _in_any_currency if several else _in_one_currency,
        most=limits.purchases_per_article,
    )
    return (
        sa.select(columns.id, found.c.text, columns.packed, columns.organisation_id, columns.currency)
        .select_from(source)
        .order_by(columns.purchase_date.desc())
        .limit(limits.purchases)
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
    """Rows of `article` that the caller may see; those of sample suppliers are compared with each other
    alone."""
    return sa.and_(visible_to(row, CALLER), row.sample == sa.bindparam("sample", type_=sa.Boolean))
