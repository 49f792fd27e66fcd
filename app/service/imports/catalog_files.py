"""Files of catalog entries: the same reading and writing as the command, for one organisation."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.imports import ImportResult
from app.service.catalog.catalog_plan import BATCH_ROWS, CatalogPlanner, CatalogWriter
from app.service.catalog.company_rows import (
    SYNONYMS,
    CompanyLine,
    match_company_columns,
    prepare_companies,
    read_company_rows,
)
from app.service.catalog.denormalise import rebuild_categories
from app.service.context import Context
from app.service.database.batches import batched
from app.service.database.paging import sum_up_counts
from app.service.database.tables import company, imported_row, product
from app.service.imports.file_kind import (
    Advance,
    FileKind,
    Reading,
    RowCounts,
    Rows,
    count_added,
    with_lines,
)
from app.service.imports.removal import take_back
from app.service.imports.store import Quota, StoredImport, count_owned
from app.service.tables.table import RejectedRow


def _read(reading: Reading, rows: Rows) -> Iterator[CompanyLine | RejectedRow]:
    return read_company_rows(rows, reading.options, reading.questions)


def _list_values(line: CompanyLine) -> dict[str, Any]:
    stated = {name: value for name, value in asdict(line).items() if value and name not in ("name", "line")}
    return {"supplier": line.name, **stated}


def _count(context: Context, one: StoredImport, reading: Reading, rows: Rows, advance: Advance) -> RowCounts:
    counts = RowCounts(companies=0, products=0, categories=0)
    planner = CatalogPlanner(one.organisation_id, context.clock())
    changed: set[str] = set()
    for some in batched(_read(reading, rows), BATCH_ROWS):
        lines: list[CompanyLine] = []
        for row in some:
            if isinstance(row, RejectedRow):
                counts.refuse(row)
            else:
                lines.append(row)
        with context.database.reading() as connection:
            plan = planner.plan(connection, lines)
        changed |= plan.changed.keys() | (plan.with_products & plan.known_companies)
        counts.companies = (counts.companies or 0) + len(plan.companies)
        counts.products = (counts.products or 0) + len(plan.products)
        counts.categories = (counts.categories or 0) + len(plan.categories)
        repeated = counts.repeated + counts.new + counts.changed + len(lines)
        counts.new, counts.changed = counts.companies, len(changed)
        counts.repeated = repeated - counts.new - counts.changed
        advance(counts.total)
    return counts


def _write(
    context: Context, one: StoredImport, reading: Reading, rows: Rows, advance: Advance
) -> ImportResult:
    writer = CatalogWriter(one.organisation_id, context.clock, import_id=one.id)
    accepted = refused = 0
    for some in batched(_read(reading, rows), BATCH_ROWS):
        lines = [row for row in some if isinstance(row, CompanyLine)]
        accepted += len(lines)
        refused += len(some) - len(lines)
        with context.database.one_transaction():
            with context.database.writing() as connection:
                writer.write(connection, lines)
            advance(accepted + refused)
    with context.database.one_transaction():
        with context.database.writing() as connection:
            rebuild_categories(connection, context.clock())
        advance(accepted + refused)
    sum_up_counts(context.database)
    added = count_added(context, one.id)
    new = added.get(company.name, 0)
    with context.database.reading() as connection:
        changed = len(_find_changed(connection, one.id))
    return ImportResult(
        imported=new,
        changed=changed,
        repeated=accepted - new - changed,
        refused=refused,
        companies=new,
        products=added.get(product.name, 0),
        categories=added.get("category", 0),
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
    fields=SYNONYMS,
    prepare=prepare_companies,
    match=match_company_columns,
    read=with_lines(_read),
    describe=_list_values,
    count=_count,
    write=_write,
    take_back=take_back,
    quota=QUOTA,
)
