"""The purchases that may be comparable, found in the database."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from functools import cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, Row

from app.service.database.dialect import Columns, any_of_words, articles_with_words, latest_of_each
from app.service.database.tables.catalog import company, product
from app.service.database.tables.purchases import article, purchase
from app.service.database.visibility import CALLER, as_seen_by, shared, visible_to
from app.service.pricing.candidates import Candidates
from app.service.pricing.exchange import NO_RATES, Rates
from app.service.pricing.packing import pack
from app.service.purchases.records import Purchase

COUNTED = timedelta(days=730)

Owners = sa.Select[int, str]
"""Id and text of articles."""
Found = sa.Select[str, str, bytes | None] | sa.CompoundSelect[str, str, bytes | None]
"""Id, wording and packed form of purchases."""
FoundRow = Row[str, str, bytes | None]
Statement = Callable[[str, bool], Found]
"""By the name of the dialect, and whether purchases in any of several currencies are asked for."""


@dataclass(frozen=True)
class _Way:
    """A way of finding comparables: through the latest `articles` that meet a condition, the latest
    purchases of each, and of all those the latest. More adds time and next to nothing."""

    articles: int
    of_each: int
    purchases: int


OF_PRODUCT = _Way(articles=60, of_each=120, purchases=120)
OF_FAMILY = _Way(articles=60, of_each=10, purchases=60)
OF_WORDING = _Way(articles=60, of_each=4, purchases=240)
OF_SUPPLIER = _Way(articles=60, of_each=10, purchases=60)


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
        rates: Rates = NO_RATES,
    ) -> None:
        self._connection = connection
        self._currency, self._rates = currency, rates
        self._others = rates.into(currency)
        self._dialect = connection.dialect.name
        self._visible: dict[str, object] = {"organisation": organisation_id, "before": before}
        if self._others:
            self._visible["currencies"] = [currency, *sorted(self._others)]
        else:
            self._visible["currency"] = currency
        self._exclude = exclude
        self._read: dict[tuple[Statement, str], Sequence[FoundRow]] = {}

    def find(self, *, product_id: str, company_id: str, family_id: str | None, wording: str) -> Candidates:
        """Purchases of the product, its family, like `wording` and of its supplier, each once: the
        deployment's and the organisation's own."""
        words = any_of_words(self._dialect, wording)
        found: dict[str, tuple[str, bytes | None]] = {}
        for rows in (
            self._execute(_of_product_and_wording, product=product_id, words=words),
            self._once(_of_family, family_id) if family_id else (),
            self._once(_of_supplier, company_id),
        ):
            for row_id, text, packed in rows:
                found[row_id] = text, packed
        for row_id in self._exclude:
            found.pop(row_id, None)
        unpacked = [row_id for row_id, (_, packed) in found.items() if packed is None]
        for purchase_ in purchases_of(self._connection, unpacked):
            found[purchase_.id] = purchase_.product, pack(purchase_)
        kept = [(row_id, text, packed) for row_id, (text, packed) in found.items() if packed is not None]
        candidates = Candidates.packed(
            [row_id for row_id, _, _ in kept],
            [text for _, text, _ in kept],
            [packed for _, _, packed in kept],
        )
        if not self._others:
            return candidates
        return self._rates.converted(candidates, self._others, self._currency)

    def _once(self, statement: Statement, owner: str) -> Sequence[FoundRow]:
        rows = self._read.get((statement, owner))
        if rows is None:
            rows = self._read[statement, owner] = self._execute(statement, owner=owner)
        return rows

    def _execute(self, statement: Statement, **parameters: str) -> Sequence[FoundRow]:
        asked = statement(self._dialect, bool(self._others))
        return self._connection.execute(asked, {**self._visible, **parameters}).all()


@cache
def _of_product_and_wording(dialect: str, several: bool) -> Found:
    """In one statement: a round trip takes as long as either."""
    own = sa.select(article.c.id, article.c.text).where(article.c.product_id == sa.bindparam("product"))
    own = own.where(visible_to(article.c, CALLER))
    of_product = _latest(
        dialect, several, OF_PRODUCT, own.order_by(article.c.id.desc()).limit(OF_PRODUCT.articles)
    )
    worded = articles_with_words(dialect, OF_WORDING.articles, visible_to(article.c, CALLER))
    of_wording = _latest(dialect, several, OF_WORDING, worded)
    return sa.union_all(*(sa.select(way.subquery()) for way in (of_product, of_wording)))


@cache
def _of_family(dialect: str, several: bool) -> Found:
    sold = sa.select(product.c.id).where(product.c.family_id == sa.bindparam("owner"))
    return _latest(dialect, several, OF_FAMILY, _articles_of(sold, OF_FAMILY))


@cache
def _of_supplier(dialect: str, several: bool) -> Found:
    sold = sa.select(product.c.id).where(product.c.company_id == sa.bindparam("owner"))
    return _latest(dialect, several, OF_SUPPLIER, _articles_of(sold, OF_SUPPLIER))


def _articles_of(products: sa.Select[str], way: _Way) -> Owners:
    """An article of each of some products: those of one product are much alike."""
    some = products.where(visible_to(product.c, CALLER)).order_by(product.c.id.desc()).limit(way.articles)
    latest = (
        sa.select(sa.func.max(article.c.id))
        .where(article.c.product_id.in_(some), visible_to(article.c, CALLER))
        .group_by(article.c.product_id)
    )
    return sa.select(article.c.id, article.c.text).where(article.c.id.in_(latest))


def _latest(dialect: str, several: bool, way: _Way, owners: Owners) -> Found:
    """Id, wording and packed form of the purchases that a caller may know."""
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
        sa.select(columns.id, wanted.c.text, columns.packed)
        .select_from(source)
        .order_by(columns.purchase_date.desc())
        .limit(way.purchases)
    )


def _in_one_currency(row: Columns) -> sa.ColumnElement[bool]:
    return sa.and_(_may_know(row), row.currency == sa.bindparam("currency"))


def _in_any_currency(row: Columns) -> sa.ColumnElement[bool]:
    return sa.and_(_may_know(row), row.currency.in_(sa.bindparam("currencies", expanding=True)))


def _may_know(row: Columns) -> sa.ColumnElement[bool]:
    return sa.and_(
        visible_to(row, CALLER),
        row.purchase_date < sa.bindparam("before"),
    )


def purchases_of(connection: Connection, purchase_ids: Sequence[str]) -> list[Purchase]:
    """Purchases as the estimator compares them: supplier and family by their ids."""
    rows = connection.execute(_WHOLE.where(purchase.c.id.in_(purchase_ids))) if purchase_ids else ()
    return [_purchase(row) for row in rows]


def latest_purchases(connection: Connection, number: int) -> list[Purchase]:
    """The deployment's own latest purchases."""
    latest = (
        _WHOLE.where(shared(purchase.c))
        .order_by(purchase.c.purchase_date.desc(), purchase.c.id)
        .limit(number)
    )
    return [_purchase(row) for row in connection.execute(latest)]


_WHOLE = sa.select(purchase, article.c.text.label("wording"), article.c.brand, article.c.category).join(
    article, article.c.id == purchase.c.article_id
)


def purchase_rows(connection: Connection, purchase_ids: Collection[str]) -> dict[str, Row[Any]]:
    """What is shown of purchases, by id."""
    rows = connection.execute(_SHOWN, {"ids": list(purchase_ids)})
    return {row.id: row for row in rows}


_NAMES_SHOWN = (
    *("id", "purchase_date", "quantity", "unit_price", "list_price", "price_period", "term_months"),
    *("attributes", "currency"),
)
_SHOWN = sa.select(*(purchase.c[name] for name in _NAMES_SHOWN)).where(
    purchase.c.id.in_(sa.bindparam("ids", expanding=True))
)


def product_rows(
    connection: Connection, product_ids: Collection[str], organisation_id: str
) -> dict[str, Row[Any]]:
    """The catalog's rows of products as the organisation sees them, with their company's name."""
    asked = {"ids": list(product_ids), "organisation": organisation_id}
    return {row.id: row for row in connection.execute(_SOLD, asked)}


_SEEN = as_seen_by(product, CALLER)
_SOLD = (
    sa.select(_SEEN, company.c.name.label("company_name"))
    .join(company, company.c.id == _SEEN.c.company_id)
    .where(_SEEN.c.id.in_(sa.bindparam("ids", expanding=True)))
)


def purchase_counts(
    connection: Connection, organisation_id: str, company_ids: Collection[str], today: date
) -> dict[str, int]:
    """Purchases on record of each company in the past two years."""
    counted = connection.execute(
        _COUNTS,
        {"companies": list(company_ids), "since": today - COUNTED, "organisation": organisation_id},
    )
    return {row[0]: row[1] for row in counted}


_COUNTS = (
    sa.select(purchase.c.company_id, sa.func.count())
    .where(
        purchase.c.company_id.in_(sa.bindparam("companies", expanding=True)),
        purchase.c.purchase_date > sa.bindparam("since"),
        visible_to(purchase.c, CALLER),
    )
    .group_by(purchase.c.company_id)
)


def _purchase(row: Row[Any]) -> Purchase:
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
