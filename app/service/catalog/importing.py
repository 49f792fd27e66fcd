"""Import catalog files: companies with their categories and, where the file names them, their products.

A company is identified by its domain, without one by its name. Importing a file again changes nothing; a
newer file updates what it contains and leaves the rest.
"""

import csv
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from app.service.access.keys import find_organisation
from app.service.catalog.company_rows import CompanyLine, find_columns, read_company
from app.service.catalog.denormalise import rebuild_categories, rebuild_records, rebuild_records_for
from app.service.catalog.dimensions import quantity_dimension
from app.service.catalog.entries import category_row, company_row, product_row
from app.service.catalog.estimate_check import request_estimate_check
from app.service.catalog.names import company_key, name_key, sort_name
from app.service.catalog.rows import CategoryRow, CompanyDetails, CompanyRow, ProductRow, select_rows
from app.service.context import Context
from app.service.database.batches import batched
from app.service.database.dialect import lock_imports
from app.service.database.tables.catalog import category, company, product
from app.service.database.visibility import shared, visible_to
from app.service.ids import new_id
from app.service.table_files.reading import name_file_in_errors, read_csv
from app.service.table_files.table import InvalidRow, RejectedRow, UnreadableTable

BATCH_ROWS = 1_000
MAX_LISTED_REJECTIONS = 20


@dataclass
class CatalogReport:
    """What an import did: new entries, changed companies, rejected rows, and the first of those as (file,
    line, reason)."""

    companies: int = 0
    changed: int = 0
    unchanged: int = 0
    categories: int = 0
    products: int = 0
    rejected: int = 0
    rejections: list[tuple[str, int, str]] = field(default_factory=list[tuple[str, int, str]])


def import_catalog(
    context: Context,
    paths: Sequence[Path],
    *,
    organisation: str | None = None,
    rejects: Path | None = None,
    progress: Callable[[int], None] | None = None,
) -> CatalogReport:
    """Import CSV and CSV.gz files. With `organisation`, a name, new entries belong to it alone, and shared
    entries stay unchanged. `progress` is called with the number of rows read so far; `rejects` receives a CSV
    of the rejected rows. Raises UnreadableTable, naming the file, and UnknownOrganisation."""
    report = CatalogReport()
    with context.database.reading() as connection:
        owner = None if organisation is None else find_organisation(connection, organisation)
    if rejects is not None:
        _write_rejects(rejects, ())
    refused: list[tuple[str, int, str]] = []
    read = 0
    for path in paths:
        rows = _read_lines(path)
        while some := list(islice(rows, BATCH_ROWS)):
            lines = [row for row in some if isinstance(row, CompanyLine)]
            refused += [(path.name, row.line, row.reason) for row in some if isinstance(row, RejectedRow)]
            with context.database.writing() as connection:
                lock_imports(connection)
                _BatchWriter(connection, context.clock(), report, owner).write(lines)
            read += len(some)
            if progress:
                progress(read)
    with context.database.writing() as connection:
        rebuild_categories(connection, context.clock())
        request_estimate_check(connection, owner, context.clock())
    report.rejected, report.rejections = len(refused), refused[:MAX_LISTED_REJECTIONS]
    if rejects is not None:
        _write_rejects(rejects, refused)
    return report


def _write_rejects(path: Path, refused: Iterable[tuple[str, int, str]]) -> None:
    try:
        with path.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([("file", "line", "reason"), *refused])
    except OSError as error:
        raise UnreadableTable(f"{path} cannot be written: {error.strerror}") from None


def _read_lines(path: Path) -> Iterator[CompanyLine | RejectedRow]:
    with name_file_in_errors(path), path.open("rb") as stream:
        rows = read_csv(stream)
        header = next(rows)
        if isinstance(header, RejectedRow):
            raise UnreadableTable(f"line {header.line}: {header.reason}")
        columns = find_columns(header[1])
        for row in rows:
            if isinstance(row, RejectedRow):
                yield row
                continue
            try:
                yield read_company(row[1], columns)
            except InvalidRow as error:
                yield RejectedRow(row[0], str(error))


class _BatchWriter:
    """Writes some lines in one transaction, for an organisation or for everybody."""

    def __init__(
        self, connection: Connection, now: datetime, report: CatalogReport, owner: str | None
    ) -> None:
        self._connection = connection
        self._now = now
        self._report = report
        self._owner = owner
        self._changed: set[str] = set()
        seen = sa.select(category).where(visible_to(category.c, owner))
        # Its own come last and so replace shared ones of the same name.
        self._categories: dict[tuple[str, str], CategoryRow] = {
            (row["parent_id"] or "", row["sort_name"]): row
            for row in select_rows(connection, CategoryRow, seen.order_by(~shared(category.c)))
        }

    def write(self, lines: Iterable[CompanyLine]) -> None:
        # The last line about a company wins, so each company is written once.
        line_by_identity = {_company_identity(line.domain, line.name): line for line in lines}
        known = self._find_known(line_by_identity)
        new: list[tuple[CompanyRow, CompanyLine]] = []
        sellers: list[tuple[CompanyRow, CompanyLine]] = []
        for key, line in line_by_identity.items():
            row = known.get(key)
            kind = self._ensure_category(line)
            if row is None:
                new.append((self._build_row(line, kind), line))
            else:
                sellers.append((row, line))
                self._update_company(row, line, kind)
        if new:
            self._connection.execute(company.insert(), [row for row, _ in new])
            self._report.companies += len(new)
        with_products = self._add_products([*sellers, *new])
        # The records of a new row are complete; only rows that changed are rebuilt.
        if self._owner is None:
            rebuild_records(self._connection, with_products | self._changed, self._now)
        else:
            rebuild_records_for(self._connection, self._owner, with_products | self._changed, self._now)

    def _find_known(self, line_by_identity: Mapping[str, CompanyLine]) -> Mapping[str, CompanyRow]:
        known: dict[str, CompanyRow] = {}
        domains = [line.domain for line in line_by_identity.values() if line.domain]
        names = [company_key(line.name) for line in line_by_identity.values()]
        for column, values in ((company.c.domain, domains), (company.c.name_key, names)):
            for batch in batched(values, BATCH_ROWS):
                query = (
                    sa.select(company)
                    .where(
                        column.in_(batch),
                        visible_to(company.c, self._owner),
                        company.c.sample.is_(sa.false()),  # real data never changes a sample company
                    )
                    .order_by(shared(company.c), company.c.id)
                )
                for row in select_rows(self._connection, CompanyRow, query):
                    key = _company_identity(row["domain"], row["name"])
                    known.setdefault(key, row)
        # A supplier that an import of purchases created from its name alone gets its domain here.
        for key, line in line_by_identity.items():
            nameless = known.get(_company_identity("", line.name))
            if key not in known and nameless is not None:
                known[key] = nameless
        return known

    def _update_company(self, row: CompanyRow, line: CompanyLine, kind: CategoryRow | None) -> None:
        details: CompanyDetails = {**row["details"], **line.details}
        values: dict[str, object] = {
            "name": line.name,
            "sort_name": sort_name(line.name),
            "name_key": company_key(line.name),
            "legal_name": line.legal_name or row["legal_name"],
            "domain": line.domain or row["domain"],
            "category_id": kind["id"] if kind else row["category_id"],
            "discontinued": line.discontinued,
            "details": details,
        }
        everybodys = self._owner is not None and row["organisation_id"] is None
        if everybodys or values.items() <= row.items():
            self._report.unchanged += 1
            return
        self._connection.execute(company.update().where(company.c.id == row["id"]).values(**values))
        self._changed.add(row["id"])
        self._report.changed += 1

    def _ensure_category(self, line: CompanyLine) -> CategoryRow | None:
        parent = self._ensure_category_under(None, line.parent_category)
        if not line.category or sort_name(line.category) == sort_name(line.parent_category):
            return parent
        return self._ensure_category_under(parent, line.category)

    def _ensure_category_under(self, parent: CategoryRow | None, name: str) -> CategoryRow | None:
        if not name:
            return None
        parent_id = parent["id"] if parent else None
        key = (parent_id or "", sort_name(name))
        if key not in self._categories:
            row = category_row(new_id(), name, self._now, parent_id=parent_id, organisation_id=self._owner)
            self._connection.execute(category.insert().values(**row))
            self._categories[key] = row
            self._report.categories += 1
        return self._categories[key]

    def _build_row(self, line: CompanyLine, kind: CategoryRow | None) -> CompanyRow:
        return company_row(
            new_id(),
            line.name,
            self._now,
            legal_name=line.legal_name or None,
            domain=line.domain,
            category=kind,
            discontinued=line.discontinued,
            organisation_id=self._owner,
            details=line.details,
        )

    def _add_products(self, sellers: Sequence[tuple[CompanyRow, CompanyLine]]) -> set[str]:
        """Add products that a company does not have yet. Returns the companies that got some."""
        names_by_company = {row["id"]: line.products for row, line in sellers if line.products}
        columns = (product.c.company_id, product.c.name_key)
        there: set[tuple[Any, ...]] = {
            tuple(row_key)
            for batch in batched(names_by_company, BATCH_ROWS)
            for row_key in self._connection.execute(
                sa.select(*columns).where(product.c.company_id.in_(batch), visible_to(product.c, self._owner))
            )
        }
        made: list[ProductRow] = []
        for row, line in sellers:
            for order, name in enumerate(line.products):
                if (row["id"], name_key(name)) in there:
                    continue
                there.add((row["id"], name_key(name)))
                quantity_id = new_id()
                made.append(
                    product_row(
                        new_id(),
                        row,
                        name,
                        self._now,
                        sort_order=order,
                        dimensions=[quantity_dimension(quantity_id, None)],
                        quantity_dimension_id=quantity_id,
                        details={},
                        organisation_id=self._owner,
                    )
                )
        if made:
            self._connection.execute(product.insert(), made)
            self._report.products += len(made)
        return {row["company_id"] for row in made}


def _company_identity(domain: str, name: str) -> str:
    return f"@{domain}" if domain else f"={company_key(name)}"
