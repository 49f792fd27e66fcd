"""Files of catalog entries: the same reading and writing as the command, for one organisation."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.imports import ImportResult
from app.service.agreements.store import rename_suppliers
from app.service.catalog.catalog_plan import CatalogPlanner
from app.service.catalog.catalog_writer import CatalogWriter
from app.service.catalog.company_rows import (
    CompanyLine,
    match_company_columns,
    prepare_companies,
    read_company_rows,
)
from app.service.catalog.denormalise import rebuild_categories
from app.service.context import Context
from app.service.database.rows import sum_up_counts
from app.service.database.tables import company, imported_row, product
from app.service.imports.file_kind import Compare, FileKind, Reading, RowCounts, with_lines
from app.service.imports.removal import take_back
from app.service.imports.store import Quota, StoredImport, count_owned
from app.service.tables.table import RejectedRow


def _list_values(line: CompanyLine) -> dict[str, Any]:
    stated = {name: value for name, value in asdict(line).items() if value and name not in ("name", "line")}
    return {"supplier": line.name, **stated}


def _compare(context: Context, one: StoredImport, _reading: Reading, counts: RowCounts) -> Compare:
    counts.companies = counts.products = counts.categories = 0
    planner = CatalogPlanner(one.organisation_id, context.clock())
    changed: set[str] = set()

    def compare(lines: Sequence[CompanyLine]) -> Sequence[RejectedRow]:
        nonlocal changed
        with context.database.reading() as connection:
            plan = planner.plan(connection, lines)
        changed |= plan.changed.keys() | (plan.with_products & plan.known_companies)
        counts.companies = (counts.companies or 0) + len(plan.companies)
        counts.products = (counts.products or 0) + len(plan.products)
        counts.categories = (counts.categories or 0) + len(plan.categories)
        accepted = counts.repeated + counts.new + counts.changed + len(lines)
        counts.new, counts.changed = counts.companies, len(changed)
        counts.repeated = accepted - counts.new - counts.changed
        return ()

    return compare


class _CompanyWriter:
    """Stores suppliers, then brings the lists up to date."""

    def __init__(self, context: Context, organisation_id: str | None, import_id: str | None) -> None:
        self._context, self._import_id, self._lines = context, import_id, 0
        self._owner = organisation_id
        self._writer = CatalogWriter(organisation_id, context.clock, import_id=import_id)

    def write(self, lines: Sequence[CompanyLine]) -> Sequence[RejectedRow]:
        """Store those that are new, and change those that are not."""
        with self._context.database.writing() as connection:
            rename_suppliers(connection, self._owner, self._writer.write(connection, lines))
        self._lines += len(lines)
        return ()

    def finish(self) -> ImportResult:
        """Rebuild the categories and the counts of lists."""
        database, done = self._context.database, self._writer
        with database.writing() as connection:
            rebuild_categories(connection, self._context.clock())
        sum_up_counts(database)
        changed = done.changed
        if self._import_id is not None:
            with database.reading() as connection:
                changed = len(_find_changed(connection, self._import_id))
        return ImportResult(
            imported=done.companies,
            changed=changed,
            repeated=self._lines - done.companies - changed,
            refused=0,
            companies=done.companies,
            products=done.products,
            categories=done.categories,
        )


def _find_changed(connection: Connection, import_id: str) -> set[str]:
    """Return the companies that were there before the import, and that it has changed or given products."""
    mine = imported_row.c.import_id == import_id
    of_companies = sa.select(imported_row.c.row_id, imported_row.c.added, imported_row.c.changes).where(
        mine, imported_row.c.table_name == company.name
    )
    with_products = (
        sa.select(product.c.company_id)
        .join(imported_row, imported_row.c.row_id == product.c.id)
        .where(mine, imported_row.c.table_name == product.name, imported_row.c.added)
        .distinct()
    )
    changed = set(connection.scalars(with_products))
    new: set[str] = set()
    for company_id, added, changes in connection.execute(of_companies):
        if added:
            new.add(company_id)
        elif changes and any(
            changes["before"].get(name) != value for name, value in changes["after"].items()
        ):
            changed.add(company_id)
    return changed - new


QUOTA = Quota(
    "suppliers and products",
    "PARLEY_MAX_ENTRIES",
    lambda settings: settings.max_entries,
    count_owned(company, product),
    ("companies", "products"),
)


CATALOG = FileKind(
    name="catalog",
    prepare=prepare_companies,
    match=match_company_columns,
    read=with_lines(lambda how, rows: read_company_rows(rows, how.options, how.questions)),
    describe=_list_values,
    compare=_compare,
    open_writer=_CompanyWriter,
    take_back=take_back,
    quota=QUOTA,
    added={"imported": "company", "companies": "company", "products": "product", "categories": "category"},
)
