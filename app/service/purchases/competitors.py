"""Suppliers that sell the same article compete: their products, and they, name each other in the catalog."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, cast

import sqlalchemy as sa
from sqlalchemy import ColumnElement, Connection, Table

from app.service.catalog.wire import Record, Row
from app.service.database.batches import batched
from app.service.database.tables.catalog import company, product
from app.service.database.visibility import owned_by, visible_to

MOST_PRODUCTS = 2
"""A product in a list carries its competitors with all their dimensions, so there are few."""
MOST_COMPANIES = 5
SHORTEST_NUMBER = 5
"""Shorter item numbers are the same by chance."""
AT_ONCE = 1_000

Sold = tuple[str, str]
"""A product's id and its company's."""


def introduce_rivals(
    connection: Connection, product_ids: Collection[str], owner: str | None = None
) -> set[str]:
    """Lets these products and others of the same name or item number know of each other. What is known stays;
    new competitors come behind it. Products of an organisation, the `owner`, know the shared ones and are
    not known by them. Returns the companies with something new."""
    rivals: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for group in _alike(connection, product_ids, owner):
        # The same article at a thousand suppliers would be a million pairs: the first few stand for all.
        first = group[: MOST_COMPANIES + 1]
        for ours, our_company in group:
            rivals[ours].update((one, seller) for one, seller in first if seller != our_company)
    owners = _add(connection, product, rivals, MOST_PRODUCTS, owner)
    sellers: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for ours, our_company in owners.items():
        sellers[our_company].update((seller, seller) for seller in rivals[ours].values())
    _add(connection, company, sellers, MOST_COMPANIES, owner)
    return set(sellers)


def _alike(connection: Connection, ids: Collection[str], owner: str | None) -> Iterable[Sequence[Sold]]:
    """Groups of products that are one article, sold by two companies or more, all invented or all real."""
    number = sa.case((sa.func.length(product.c.item_key) >= SHORTEST_NUMBER, product.c.item_key))
    keys: tuple[ColumnElement[Any], ...] = (product.c.name_key, number)
    for column, key in zip((product.c.name_key, product.c.item_key), keys, strict=True):
        for some in batched(sorted(ids), AT_ONCE):
            asked = connection.scalars(
                sa.select(key).where(product.c.id.in_(some), key.is_not(None)).distinct()
            )
            same = (
                sa.select(column, company.c.sample, product.c.id, product.c.company_id)
                .join(company, company.c.id == product.c.company_id)
                .where(column.in_(asked.all()), visible_to(product.c, owner))
                .order_by(product.c.id)
            )
            groups: defaultdict[tuple[str, bool], list[Sold]] = defaultdict(list)
            for value, sample, product_id, seller in connection.execute(same):
                groups[value, sample].append((product_id, seller))
            yield from (group for group in groups.values() if len({seller for _, seller in group}) > 1)


def _add(
    connection: Connection,
    table: Table,
    found: Mapping[str, Mapping[str, str]],
    most: int,
    owner_id: str | None,
) -> dict[str, str]:
    """Adds competitor ids up to `most` to rows of this owner. Returns those that got one, each with its
    company."""
    owner = table.c.company_id if "company_id" in table.c else table.c.id
    changed: list[Record] = []
    owners: dict[str, str] = {}
    for some in batched(sorted(found), AT_ONCE):
        query = sa.select(table.c.id, owner.label("owner"), table.c.details).where(
            table.c.id.in_(some), owned_by(table.c, owner_id)
        )
        for row in cast(Sequence[Row], connection.execute(query).mappings().all()):
            known: list[str] = row["details"].get("competitorIds", [])
            wanted = [*known, *(one for one in found[row["id"]] if one not in known)][: max(most, len(known))]
            if len(wanted) > len(known):
                changed.append({"row_id": row["id"], "details": {**row["details"], "competitorIds": wanted}})
                owners[row["id"]] = row["owner"]
    if changed:
        values: dict[str, sa.BindParameter[Any]] = {"details": sa.bindparam("details")}
        connection.execute(table.update().where(table.c.id == sa.bindparam("row_id")).values(values), changed)
    return owners
