"""Writes what lines of a catalog file add to the catalog and change in it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Table

from app.service.catalog.catalog_plan import CatalogPlan, CatalogPlanner, Values, columns_of
from app.service.catalog.company_rows import CompanyLine
from app.service.catalog.denormalise import rebuild_records
from app.service.catalog.rows import CompanyRow
from app.service.database.dialect import lock_imports
from app.service.database.imported_rows import ImportedRows
from app.service.database.tables import category, company, product


@dataclass
class CatalogWriter:
    """Writes lines for an organisation, or for everybody. `import_id` is that of an import that can be
    undone. The numbers are of new entries, and of companies that changed or were named as they are."""

    owner: str | None
    clock: Callable[[], datetime]
    import_id: str | None = None
    companies: int = 0
    changed: int = 0
    unchanged: int = 0
    categories: int = 0
    products: int = 0

    def write(self, connection: Connection, lines: Sequence[CompanyLine]) -> set[str]:
        """Write some lines, in the caller's transaction. Returns the ids of companies that changed."""
        lock_imports(connection)
        now = self.clock()
        plan = CatalogPlanner(self.owner, now).plan(connection, lines)
        self._record(connection, plan)
        for table, rows in (
            (category, plan.categories),
            (company, list(plan.companies.values())),
            (product, plan.products),
        ):
            self._insert(connection, table, rows)
        for row in plan.changed.values():
            _update_company(connection, row)
        # The records of a new row are complete; only rows that changed are rebuilt.
        affected = plan.with_products | plan.changed.keys()
        rebuild_records(connection, affected, now, self.owner)
        self.companies += len(plan.companies)
        self.categories += len(plan.categories)
        self.products += len(plan.products)
        self.changed += len(plan.changed)
        self.unchanged += len(plan.known_companies - plan.changed.keys())
        return set(plan.changed)

    def _record(self, connection: Connection, plan: CatalogPlan) -> None:
        """Record which rows the import names and changes."""
        recorded = ImportedRows(self.import_id)
        recorded.name_again(connection, category, list(plan.known_categories))
        recorded.name_again(connection, company, list(plan.known_companies))
        recorded.name_again(connection, product, list(plan.known_products))
        changes = {row_id: (plan.before[row_id], stated) for row_id, stated in plan.stated.items()}
        recorded.change(connection, company, changes)

    def _insert(self, connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
        if rows:
            connection.execute(table.insert(), rows)
            ImportedRows(self.import_id).add(connection, table, [row["id"] for row in rows])


def restore_company(connection: Connection, row: CompanyRow, values: Values) -> None:
    """Give a company these values again; its records are not brought up to date."""
    _update_company(connection, {**row, **columns_of(row, values)})


def _update_company(connection: Connection, row: Mapping[str, Any]) -> None:
    names = (
        "name",
        "sort_name",
        "name_key",
        "legal_name",
        "domain",
        "category_id",
        "discontinued",
        "details",
    )
    connection.execute(
        company.update().where(company.c.id == row["id"]).values(**{name: row[name] for name in names})
    )
