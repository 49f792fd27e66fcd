"""Finds the past purchases that may be comparable with a product, in the database."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache, partial
from typing import Literal, NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection, Row

from app.service.database.dialect import (
    Columns,
    Dialect,
    dialect_of,
    latest_of_each,
    list_parameter,
    listed_values,
    newest_of_each,
)
from app.service.database.tables import article, product, purchase
from app.service.database.visibility import CALLER, owned_by, visible_to
from app.service.database.word_search import find_articles
from app.service.pricing.catalog_product import CatalogProduct
from app.service.pricing.estimator.candidates import Candidates
from app.service.pricing.past_purchases import load_purchases
from app.service.pricing.rates.exchange import NO_RATES, ExchangeRates
from app.service.purchase_records import FACETS, describe_article, encode_value, pack
from app.service.purchases.competitors import MIN_ITEM_NUMBER_LENGTH

ArticlesQuery = sa.Select[int, str]
"""Selects the id of articles, and the texts that name them."""


# Neither parameters nor many characters: the driver analyses a statement of more than 4,096 each time.
_SPACE, _NOTHING = sa.literal_column("' '", sa.Text), sa.literal_column("''", sa.Text)


def _describe(sold: Columns, bought: Columns) -> sa.ColumnElement[str]:
    """What `describe_article` makes of a purchase, from the columns of its product and its article."""
    return (
        bought.text
        + sa.func.coalesce(_SPACE + sold.item_id, _NOTHING)
        + sa.func.coalesce(_SPACE + bought.brand, _NOTHING)
    )


_DESCRIBED_ARTICLES: ArticlesQuery = sa.select(
    article.c.id, _describe(product.c, article.c).label("text")
).join(product, product.c.id == article.c.product_id)
_Way = Literal["product", "words", "family", "supplier", "item_number"]
"""How purchases are found: those of the product, of the articles that have its distinctive words, of its
family, of its supplier, and of every product with its item number, whoever sells it."""
PurchasesQuery = sa.CompoundSelect[str, str, bytes | None, str | None, str, str]
"""Selects the id, text, packed form, owner (null: everybody's) and currency of purchases, and how they were
found."""
PurchaseRow = Row[str, str, bytes | None, str | None, str, str]


class _Wanted(NamedTuple):
    """Which purchases a query selects: in one currency or in any of several, and those that the caller may
    see or only its own."""

    dialect: Dialect
    several_currencies: bool
    own_only: bool


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


_MOST_LOOKED_AT = 5_000
"""The latest products of a family or a supplier that are looked through for one's own purchases: a supplier
may have a hundred thousand. Those of the product, its item number and its words are found all the same."""
_OF_PRODUCT = _SearchLimits(articles=60, purchases_per_article=120, purchases=120)
_LIMITS: Mapping[_Way, _SearchLimits] = {
    "product": _OF_PRODUCT,
    "item_number": _OF_PRODUCT,
    "family": _SearchLimits(articles=60, purchases_per_article=10, purchases=60),
    "supplier": _SearchLimits(articles=60, purchases_per_article=10, purchases=60),
    "words": _SearchLimits(articles=60, purchases_per_article=4, purchases=240),
}


class ComparableFinder:
    """Finds the purchases that a caller may see, made before a day; with `own_only` those of its own that
    would otherwise stand behind many later ones of others. The purchases of a family or a supplier are read
    once for all products of a scope, which are often one supplier's."""

    def __init__(
        self,
        connection: Connection,
        organisation_id: str,
        currency: str,
        *,
        before: date,
        exclude: Collection[str] = (),
        rates: ExchangeRates = NO_RATES,
        own_only: bool = False,
    ) -> None:
        self._connection = connection
        self._currency, self._rates = currency, rates
        self._other_currencies = rates.convertible_currencies(currency)
        self._wanted = _Wanted(dialect_of(connection), bool(self._other_currencies), own_only)
        self._parameters: dict[str, object] = {"organisation": organisation_id, "before": before}
        if self._other_currencies:
            self._parameters["currencies"] = [currency, *sorted(self._other_currencies)]
        else:
            self._parameters["currency"] = currency
        self._exclude = exclude
        self._shared_rows: dict[tuple[str, str], list[PurchaseRow]] = {}

    def find(self, product: CatalogProduct, distinctive_words: str) -> FoundComparables:
        """Find purchases of the product, of its family, of its supplier, with its item number and with its
        distinctive words, each once: those that everybody sees and the organisation's own. Purchases of
        sample suppliers are found only for a product of one."""
        rows_by_way = self._read_rows(product, distinctive_words)
        rows_by_id: dict[str, tuple[str, bytes | None]] = {}
        own_ids: set[str] = set()
        converted_ids: set[str] = set()
        for rows in rows_by_way.values():
            for row_id, text, packed, owner, currency, _ in rows:
                rows_by_id[row_id] = text, packed
                if owner is not None:
                    own_ids.add(row_id)
                if currency != self._currency:
                    converted_ids.add(row_id)
        for row_id in self._exclude:
            rows_by_id.pop(row_id, None)
        unpacked = [row_id for row_id, (_, packed) in rows_by_id.items() if packed is None]
        for unpacked_purchase in load_purchases(self._connection, unpacked):
            described = describe_article(unpacked_purchase)
            rows_by_id[unpacked_purchase.id] = described, pack(unpacked_purchase)
        packed_rows = [
            (row_id, text, packed) for row_id, (text, packed) in rows_by_id.items() if packed is not None
        ]
        candidates = Candidates.from_packed(
            [row_id for row_id, _, _ in packed_rows],
            [text for _, text, _ in packed_rows],
            [packed for _, _, packed in packed_rows],
        )
        same_item = {row[0] for row in rows_by_way.get("item_number", ())}
        candidates = _with_product_key(candidates, product.id, same_item)
        if self._other_currencies:
            candidates = self._rates.convert(candidates, self._other_currencies, self._currency)
        return FoundComparables(candidates, frozenset(own_ids), frozenset(converted_ids))

    def _read_rows(
        self, product: CatalogProduct, distinctive_words: str
    ) -> Mapping[str, Sequence[PurchaseRow]]:
        """Read the purchases that each way finds: all in one statement, because a round trip takes as long as
        most of them."""
        parameters = {**self._parameters, "sample": product.company_sample}
        with_words = find_articles(
            self._connection,
            distinctive_words,
            _LIMITS["words"].articles,
            _is_comparable(self._wanted),
            parameters,
        )
        shared = {"family": product.family_id, "supplier": product.company_id}
        ways: list[_Way] = ["product", "words"]
        if product.family_id and ("family", product.family_id) not in self._shared_rows:
            ways.append("family")
        if ("supplier", product.company_id) not in self._shared_rows:
            ways.append("supplier")
        if len(product.item_key or "") >= MIN_ITEM_NUMBER_LENGTH:
            ways.append("item_number")
        parameters |= {**shared, "product": product.id, "item_number": product.item_key}
        parameters["articles"] = list(with_words)
        found: dict[str, list[PurchaseRow]] = {way: [] for way in ways}
        for row in self._connection.execute(_build_query(self._wanted, tuple(ways)), parameters).all():
            found[row[-1]].append(row)
        for way, owner in shared.items():
            if owner:
                found[way] = self._shared_rows.setdefault((way, owner), found.get(way, []))
        return found


@cache
def _build_query(wanted: _Wanted, ways: tuple[_Way, ...]) -> PurchasesQuery:
    """Select the latest purchases that each of the ways finds."""
    queries = (_latest_purchases_of(wanted, _LIMITS[way], _select_articles(wanted, way), way) for way in ways)
    # The limits are parameters: PostgreSQL would plan a statement with numbers anew each time.
    return sa.union_all(*(sa.select(query.subquery()) for query in queries))


def _select_articles(wanted: _Wanted, way: _Way) -> ArticlesQuery:
    match way:
        case "family":
            of_family = product.c.family_id == sa.bindparam("family")
            return _latest_articles(wanted, of_family, _LIMITS[way])
        case "supplier":
            of_supplier = product.c.company_id == sa.bindparam("supplier")
            return _latest_articles(wanted, of_supplier, _LIMITS[way])
        case "words":
            # The search for the words is a statement of its own: PostgreSQL plans it anew each time, because
            # only then it knows how many articles have a word.
            listed = listed_values(wanted.dialect, list_parameter("articles")).subquery("listed")
            return _DESCRIBED_ARTICLES.where(article.c.id.in_(sa.select(sa.cast(listed.c.value, sa.Integer))))
        case "product":
            of_product = article.c.product_id == sa.bindparam("product")
        case "item_number":
            sold = sa.select(product.c.id).where(product.c.item_key == sa.bindparam("item_number"))
            of_product = article.c.product_id.in_(sold)
    latest = _DESCRIBED_ARTICLES.where(of_product, _is_comparable(wanted)).order_by(article.c.id.desc())
    return latest.limit(_LIMITS[way].articles)


def _with_product_key(candidates: Candidates, product_id: str, ids: Collection[str]) -> Candidates:
    """The candidates, with those of `ids` as purchases of this product: they have its item number."""
    rows = [row for row, key in enumerate(candidates.ids) if key in ids]
    if not rows:
        return candidates
    facets = candidates.facets.copy()
    facets[rows, FACETS.index("product_key")] = encode_value("product_key", product_id)
    return replace(candidates, facets=facets)


def _latest_articles(
    wanted: _Wanted, of_owner: sa.ColumnElement[bool], limits: _SearchLimits
) -> ArticlesQuery:
    """Select the latest article of each of some products, whose articles are much alike."""
    latest = sa.select(product.c.id, product.c.item_id).order_by(product.c.id.desc())
    latest = latest.where(of_owner, visible_to(product.c, CALLER))
    if wanted.own_only:
        looked_at = latest.limit(_MOST_LOOKED_AT).subquery("looked_at")
        bought = sa.exists().where(
            article.c.product_id == looked_at.c.id,
            purchase.c.article_id == article.c.id,
            owned_by(purchase.c, CALLER),
        )
        latest = sa.select(looked_at.c.id, looked_at.c.item_id).order_by(looked_at.c.id.desc())
        latest = latest.where(bought.correlate(looked_at))
    sold = latest.limit(limits.articles).subquery("product")

    def of_product(articles: sa.FromClause) -> sa.ColumnElement[bool]:
        return sa.and_(articles.c.product_id == sold.c.id, _is_comparable(wanted, articles))

    source, columns = newest_of_each(wanted.dialect, article, sold, of_product)
    return sa.select(columns.id, _describe(sold.c, columns).label("text")).select_from(source)


def _latest_purchases_of(
    wanted: _Wanted, limits: _SearchLimits, articles: ArticlesQuery, way: _Way
) -> sa.Select[str, str, bytes | None, str | None, str, str]:
    """Select the latest wanted purchases of these articles."""
    chosen = articles.subquery("wanted")
    source, columns = latest_of_each(
        wanted.dialect,
        purchase,
        "article_id",
        chosen,
        "purchase_date",
        partial(_is_wanted, wanted),
        most=limits.purchases_per_article,
        columns=("id", "packed", "organisation_id", "currency", "purchase_date"),
    )
    return (
        sa.select(
            columns.id,
            chosen.c.text,
            columns.packed,
            columns.organisation_id,
            columns.currency,
            sa.literal_column(f"'{way}'", sa.Text).label("way"),
        )
        .select_from(source)
        .order_by(columns.purchase_date.desc())
        .limit(limits.purchases)
    )


def _is_wanted(wanted: _Wanted, row: Columns) -> sa.ColumnElement[bool]:
    """Rows of `purchase` that the query selects."""
    return sa.and_(
        owned_by(row, CALLER) if wanted.own_only else visible_to(row, CALLER),
        row.purchase_date < sa.bindparam("before"),
        row.currency.in_(sa.bindparam("currencies", expanding=True))
        if wanted.several_currencies
        else row.currency == sa.bindparam("currency"),
    )


@cache
def _is_comparable(wanted: _Wanted, articles: sa.FromClause = article) -> sa.ColumnElement[bool]:
    """Rows of `article` that the caller may see, or bought itself; those of sample suppliers are compared
    with each other alone."""
    rows = articles.c
    comparable = sa.and_(visible_to(rows, CALLER), rows.sample == sa.bindparam("sample", type_=sa.Boolean))
    if wanted.own_only:
        own = purchase.alias("own")
        bought = sa.exists().where(own.c.article_id == rows.id, owned_by(own.c, CALLER))
        return sa.and_(comparable, bought.correlate(articles))
    return comparable
