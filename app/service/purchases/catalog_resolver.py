"""Find the catalog rows of purchases (supplier, product, article), and create those that are new.

Everything runs inside one writing transaction under the import lock, so what is not found is new. Rows that
were found are cached until an import is undone, which may delete them.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import count
from typing import Any, NamedTuple, TypedDict, TypeVar

import sqlalchemy as sa
from sqlalchemy import ColumnElement, Connection, Table

from app.service.catalog.entries import category_row, company_row, family_row, product_row
from app.service.catalog.names import company_key, name_key, sort_name
from app.service.catalog.rows import (
    CategoryRow,
    CompanyRow,
    FamilyRow,
    ProductRow,
    quantity_dimension,
    select_rows,
)
from app.service.database.imported_rows import ImportedRows
from app.service.database.rows import batched
from app.service.database.tables import article, category, company, product, product_family
from app.service.database.visibility import shared, visible_to
from app.service.purchase_records import ArticleCodes, Purchase
from app.service.purchases.article_identity import (
    ArticleIdentity,
    digest_article,
    digest_texts,
    identify_article,
    product_key,
    supplier_key,
)

DESCRIPTION = "Known from imported purchases."
MAX_CACHED = 200_000
BATCH_SIZE = 2_000

Row = TypeVar("Row")
K = TypeVar("K")
V = TypeVar("V")


class ResolvedPurchase(NamedTuple):
    """The catalog rows that a purchase belongs to."""

    product_id: str
    article_id: int
    places: ArticleCodes


class _ProductKeys(TypedDict):
    """The columns of a product by which purchases find it."""

    id: str
    company_id: str
    family_id: str | None
    name_key: str
    item_key: str | None


class _ArticleKeys(TypedDict):
    """The columns of an article by which purchases find it."""

    id: int
    product_id: str
    digest: str


class CatalogResolver:
    """Resolves batches of purchases, each in its own transaction, and caches what it found."""

    def __init__(
        self,
        ids: Callable[[], str],
        now: datetime,
        owner: str | None = None,
        *,
        sample: bool = False,
        imported_rows: ImportedRows,
    ) -> None:
        """New rows belong to the organisation `owner`, whose own entries are found before shared ones; None
        makes shared rows. Sample and real suppliers are never mixed. `imported_rows` records new rows."""
        self._ids = ids
        self._now = now
        self._owner = owner
        self._sample = sample
        self._imported_rows = imported_rows
        self._resolved: dict[ArticleIdentity, ResolvedPurchase] = {}
        self._categories: dict[str, CategoryRow] = {}
        self._companies: dict[str, CompanyRow] = {}
        self._families: dict[tuple[str, str], str] = {}
        self._products: dict[tuple[str, str], tuple[str, str | None]] = {}
        self._articles: dict[tuple[str, str], int] = {}
        self._caches = (self._families, self._products, self._articles, self._companies)
        self.new_companies = 0
        self.new_products = 0

    def resolve(self, connection: Connection, purchases: Sequence[Purchase]) -> list[ResolvedPurchase]:
        """Return one for each purchase, in the same order."""
        wordings = [identify_article(purchase) for purchase in purchases]
        unknown = _list_missing(self._resolved, wordings, purchases)
        new = self._resolve_new(connection, list(unknown.values()))
        resolved = self._resolved
        resolved.update(zip(unknown, new, strict=True))
        answer = [resolved[wording] for wording in wordings]
        if len(resolved) > MAX_CACHED:
            resolved.clear()
        return answer

    def clear(self) -> None:
        """Forget what was found: undoing an import may have deleted it."""
        for cached in (self._resolved, self._categories, *self._caches):
            cached.clear()

    def _resolve_new(self, connection: Connection, purchases: Sequence[Purchase]) -> list[ResolvedPurchase]:
        for cached in self._caches:
            if len(cached) > MAX_CACHED:
                cached.clear()
        self._ensure_categories(connection, purchases)
        sellers = self._ensure_companies(connection, purchases)
        families = self._ensure_families(connection, purchases, sellers)
        products = self._ensure_products(connection, purchases, sellers, families)
        articles = self._ensure_articles(connection, purchases, products)
        return [
            ResolvedPurchase(
                product_id, article_id, ArticleCodes.from_row(purchase, seller["id"], product_id, family_id)
            )
            for purchase, seller, (product_id, family_id), article_id in zip(
                purchases, sellers, products, articles, strict=True
            )
        ]

    def _ensure_categories(self, connection: Connection, purchases: Iterable[Purchase]) -> None:
        names = {sort_name(p.category): p.category for p in purchases if p.category}
        missing = {key: name for key, name in names.items() if key not in self._categories}
        if not missing:
            return
        for row in self._select_visible(connection, CategoryRow, category.c.sort_name, missing):
            self._categories.setdefault(row["sort_name"], row)
        new = [name for key, name in missing.items() if key not in self._categories]
        made = [category_row(self._ids(), name, self._now, organisation_id=self._owner) for name in new]
        self._categories.update((row["sort_name"], row) for row in made)
        self._insert(connection, category, made)

    def _ensure_companies(self, connection: Connection, purchases: Sequence[Purchase]) -> list[CompanyRow]:
        keys = [supplier_key(purchase) for purchase in purchases]
        if missing := _list_missing(self._companies, keys, purchases):
            by_domain = {key[1:]: key for key in missing if key[0] == "@"}
            alike = company.c.sample == self._sample
            for row in self._select_visible(connection, CompanyRow, company.c.domain, by_domain, alike):
                self._companies.setdefault(by_domain[row["domain"]], row)
            by_name = {
                company_key(p.supplier): key for key, p in missing.items() if key not in self._companies
            }
            for row in self._select_visible(connection, CompanyRow, company.c.name_key, by_name, alike):
                key = by_name[row["name_key"]]
                # A name alone finds a company of any domain; a different domain is a different company.
                if key[0] != "@" or not row["domain"]:
                    self._companies.setdefault(key, row)
            new = {key: p for key, p in missing.items() if key not in self._companies}
            made = {key: self._build_company(key, purchase) for key, purchase in new.items()}
            self._companies |= made
            self.new_companies += len(made)
            self._insert(connection, company, list(made.values()))
        return [self._companies[key] for key in keys]

    def _build_company(self, key: str, purchase: Purchase) -> CompanyRow:
        return company_row(
            self._ids(),
            purchase.supplier,
            self._now,
            domain=key[1:] if key[0] == "@" else "",
            category=self._categories.get(sort_name(purchase.category)) if purchase.category else None,
            sample=self._sample,
            organisation_id=self._owner,
            details={"description": DESCRIPTION},
        )

    def _ensure_families(
        self, connection: Connection, purchases: Sequence[Purchase], sellers: Sequence[CompanyRow]
    ) -> list[str | None]:
        keys = [
            (seller["id"], sort_name(purchase.product_family)) if purchase.product_family else None
            for purchase, seller in zip(purchases, sellers, strict=True)
        ]
        wanted = _list_missing(self._families, keys, (purchase.product_family for purchase in purchases))
        missing = {key: name for key, name in wanted.items() if key is not None and name}
        if missing:
            names = {name for _, name in missing}
            for row in self._select_visible(connection, FamilyRow, product_family.c.sort_name, names):
                self._families.setdefault((row["company_id"], row["sort_name"]), row["id"])
            orders = _next_sort_orders(connection, product_family, {owner for owner, _ in missing})
            new = {key: name for key, name in missing.items() if key not in self._families}
            made = [
                family_row(
                    self._ids(), key[0], name, next(orders[key[0]]), self._now, organisation_id=self._owner
                )
                for key, name in new.items()
            ]
            self._families.update(zip(new, (row["id"] for row in made), strict=True))
            self._insert(connection, product_family, made)
        return [None if key is None else self._families[key] for key in keys]

    def _ensure_products(
        self,
        connection: Connection,
        purchases: Sequence[Purchase],
        sellers: Sequence[CompanyRow],
        families: Sequence[str | None],
    ) -> list[tuple[str, str | None]]:
        keys = [(seller["id"], product_key(p)) for p, seller in zip(purchases, sellers, strict=True)]
        if missing := _list_missing(self._products, keys, range(len(keys))):
            self._look_up_products(connection, [(key, purchases[index]) for key, index in missing.items()])
            orders = _next_sort_orders(connection, product, {owner for owner, _ in missing})
            made: list[ProductRow] = []
            for key, index in missing.items():
                if key in self._products:
                    continue
                order = next(orders[key[0]])
                row = self._build_product(purchases[index], sellers[index], families[index], order)
                made.append(row)
                self._products[key] = known = (row["id"], row["family_id"])
                # A later row of the same article without its number is found by its name.
                self._products.setdefault((key[0], "n" + row["name_key"]), known)
            self.new_products += len(made)
            self._insert(connection, product, made)
        return [self._products[key] for key in keys]

    def _look_up_products(
        self, connection: Connection, purchases: Collection[tuple[tuple[str, str], Purchase]]
    ) -> None:
        numbers = {key[1:] for (_, key), _ in purchases if key[0] == "i"}
        for row in self._select_visible(connection, _ProductKeys, product.c.item_key, numbers):
            known = (row["id"], row["family_id"])
            self._products.setdefault((row["company_id"], f"i{row['item_key']}"), known)
        names = {name_key(purchase.product) for _, purchase in purchases}
        named: dict[tuple[str, str], _ProductKeys] = {}
        of_owners = product.c.company_id.in_({owner for (owner, _), _ in purchases})
        for row in self._select_visible(connection, _ProductKeys, product.c.name_key, names, of_owners):
            named.setdefault((row["company_id"], row["name_key"]), row)
        for key, purchase in purchases:
            row = named.get((key[0], name_key(purchase.product)))
            # A product with another item number is another product, whatever its name.
            if row is not None and (key[1][0] == "n" or not row["item_key"]):
                self._products.setdefault(key, (row["id"], row["family_id"]))

    def _build_product(
        self, purchase: Purchase, seller: CompanyRow, family_id: str | None, sort_order: int
    ) -> ProductRow:
        quantity_id = self._ids()
        return product_row(
            self._ids(),
            seller,
            purchase.product,
            self._now,
            sort_order=sort_order,
            dimensions=[quantity_dimension(quantity_id, purchase.unit)],
            quantity_dimension_id=quantity_id,
            family_id=family_id,
            item_id=purchase.product_key,
            currency=purchase.currency,
            details={"description": purchase.description or purchase.product},
            stale=True,
            organisation_id=self._owner,
        )

    def _ensure_articles(
        self,
        connection: Connection,
        purchases: Sequence[Purchase],
        products: Sequence[tuple[str, str | None]],
    ) -> list[int]:
        keys = [(sold, digest_article(p)) for p, (sold, _) in zip(purchases, products, strict=True)]
        if missing := _list_missing(self._articles, keys, purchases):
            of_products = {sold for sold, _ in missing}
            rows = self._select_visible(connection, _ArticleKeys, article.c.product_id, of_products)
            there = {(row["product_id"], row["digest"]): row["id"] for row in rows}
            for sold, digest in missing:  # shared ones first, else the organisation's own
                known = there.get((sold, digest)) or there.get((sold, self._owned_digest(digest)))
                if known is not None:
                    self._articles[sold, digest] = known
            last: int = connection.scalar(sa.select(sa.func.max(article.c.id))) or 0
            new = {key: purchase for key, purchase in missing.items() if key not in self._articles}
            self._articles.update(zip(new, count(last + 1)))
            made = [
                {
                    "id": self._articles[key],
                    "product_id": key[0],
                    "text": purchase.product,
                    "brand": purchase.brand,
                    "category": purchase.category,
                    "description": purchase.description,
                    "digest": self._owned_digest(key[1]),
                    "organisation_id": self._owner,
                    "sample": self._sample,
                }
                for key, purchase in new.items()
            ]
            self._insert(connection, article, made)
        return [self._articles[key] for key in keys]

    def _insert(self, connection: Connection, table: Table, rows: Sequence[Mapping[str, object]]) -> None:
        if rows:
            connection.execute(table.insert(), rows)
            self._imported_rows.add(connection, table, [row["id"] for row in rows])

    def _owned_digest(self, digest: str) -> str:
        """Return the digest of a new article: of its four texts and its owner."""
        return digest if self._owner is None else digest_texts((digest, self._owner))

    def _select_visible(
        self,
        connection: Connection,
        row_type: type[Row],
        column: sa.Column[Any],
        values: Collection[str],
        *conditions: ColumnElement[bool],
    ) -> Iterator[Row]:
        """Yield what `row_type` has of the visible rows whose column has one of the values: the
        organisation's own first, then the oldest."""
        rows = column.table.c
        wanted = sa.select(*(rows[name] for name in row_type.__annotations__))
        for some in batched(sorted(values), BATCH_SIZE):
            chosen = wanted.where(column.in_(some), visible_to(rows, self._owner), *conditions)
            yield from select_rows(connection, row_type, chosen.order_by(shared(rows), rows.id))


def _list_missing(known: Container[K], keys: Iterable[K], values: Iterable[V]) -> dict[K, V]:
    """Return each key that is not known with its first value, in the order of the keys: the first row gives a
    new entry its name."""
    missing: dict[K, V] = {}
    for key, value in zip(keys, values, strict=True):
        if key not in known:
            missing.setdefault(key, value)
    return missing


def _next_sort_orders(
    connection: Connection, table: Table, owners: Collection[str]
) -> defaultdict[str, Iterator[int]]:
    """Return for each company the sort orders after its last family or product."""
    last = (
        sa.select(table.c.company_id, sa.func.max(table.c.sort_order))
        .where(table.c.company_id.in_(owners))
        .group_by(table.c.company_id)
    )
    return defaultdict(count, {owner: count(order + 1) for owner, order in connection.execute(last)})
