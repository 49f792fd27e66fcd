"""Link competitors in the catalog: products that are the same article at several suppliers, and these
suppliers."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, TypedDict

import sqlalchemy as sa
from sqlalchemy import ColumnElement, Connection, Table

from app.service.catalog.rows import CompanyDetails, ProductDetails, select_rows
from app.service.database.rows import batched
from app.service.database.tables import company, product
from app.service.database.visibility import owned_by, visible_to

MAX_PRODUCTS = 2
"""Few, because a product in a list includes its competitors with all their dimensions."""
MAX_COMPANIES = 5
MIN_ITEM_NUMBER_LENGTH = 5
"""Shorter item numbers can be equal by chance."""
BATCH_SIZE = 1_000

SoldProduct = tuple[str, str]
"""A product's id and its company's id."""


class _LinkedRow(TypedDict):
    """A company or product. `owner` is the id of the company."""

    id: str
    owner: str
    details: CompanyDetails | ProductDetails


def link_competitors(
    connection: Connection, product_ids: Collection[str], owner: str | None = None
) -> set[str]:
    """Link these products with others of the same name or item number. Existing links stay; new competitors
    are added after them. Products of an organisation, the `owner`, name shared products and are not named by
    them. Returns the companies that got a new link."""
    competitors: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for group in _find_same_articles(connection, product_ids, owner):
        # The same article at a thousand suppliers would be a million pairs, so only the first few are linked.
        first = group[: MAX_COMPANIES + 1]
        for ours, our_company in group:
            competitors[ours].update((one, seller) for one, seller in first if seller != our_company)
    owners = _add_competitors(connection, product, competitors, MAX_PRODUCTS, owner)
    sellers: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for ours, our_company in owners.items():
        sellers[our_company].update((seller, seller) for seller in competitors[ours].values())
    _add_competitors(connection, company, sellers, MAX_COMPANIES, owner)
    return set(sellers)


def _find_same_articles(
    connection: Connection, ids: Collection[str], owner: str | None
) -> Iterable[Sequence[SoldProduct]]:
    """Yield groups of products that are one article of two or more companies, all sample or all real."""
    number = sa.case((sa.func.length(product.c.item_key) >= MIN_ITEM_NUMBER_LENGTH, product.c.item_key))
    keys: tuple[ColumnElement[Any], ...] = (product.c.name_key, number)
    for column, key in zip((product.c.name_key, product.c.item_key), keys, strict=True):
        for some in batched(sorted(ids), BATCH_SIZE):
            group_keys = connection.scalars(
                sa.select(key).where(product.c.id.in_(some), key.is_not(None)).distinct()
            )
            same = (
                sa.select(column, company.c.sample, product.c.id, product.c.company_id)
                .join(company, company.c.id == product.c.company_id)
                .where(column.in_(group_keys.all()), visible_to(product.c, owner))
                .order_by(product.c.id)
            )
            groups: defaultdict[tuple[str, bool], list[SoldProduct]] = defaultdict(list)
            for value, sample, product_id, seller in connection.execute(same):
                groups[value, sample].append((product_id, seller))
            yield from (group for group in groups.values() if len({seller for _, seller in group}) > 1)


def _add_competitors(
    connection: Connection,
    table: Table,
    competitors: Mapping[str, Mapping[str, str]],
    most: int,
    owner_id: str | None,
) -> dict[str, str]:
    """Add competitor ids, up to `most`, to rows of this owner. Returns the rows that got one, each with its
    company."""
    owner = table.c.company_id if "company_id" in table.c else table.c.id
    changed: list[dict[str, object]] = []
    owners: dict[str, str] = {}
    for some in batched(sorted(competitors), BATCH_SIZE):
        query = sa.select(table.c.id, owner.label("owner"), table.c.details).where(
            table.c.id.in_(some), owned_by(table.c, owner_id)
        )
        for row in select_rows(connection, _LinkedRow, query):
            known = row["details"].get("competitorIds", [])
            wanted = [*known, *(one for one in competitors[row["id"]] if one not in known)][
                : max(most, len(known))
            ]
            if len(wanted) > len(known):
                changed.append({"row_id": row["id"], "details": {**row["details"], "competitorIds": wanted}})
                owners[row["id"]] = row["owner"]
    if changed:
        values: dict[str, sa.BindParameter[Any]] = {"details": sa.bindparam("details")}
        connection.execute(table.update().where(table.c.id == sa.bindparam("row_id")).values(values), changed)
    return owners
