"""Catalog files into tables: companies with their categories and, where the file names them, their products.

A company is known by its domain, without one by its name; importing a file again changes nothing, a newer
one brings what it says up to date and leaves the rest.
"""

import csv
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any, cast

import sqlalchemy as sa
from sqlalchemy import Connection

from app.service.access.keys import find_organisation
from app.service.catalog.company_rows import CompanyLine, columns_of, read_company
from app.service.catalog.denormalise import rebuild_categories, refresh, refresh_for
from app.service.catalog.dimensions import quantity_dimension
from app.service.catalog.entries import category_row, company_row, product_row
from app.service.catalog.names import company_key, name_key, sort_name
from app.service.catalog.wire import Record, Row
from app.service.context import Context
from app.service.database.batches import batched
from app.service.database.dialect import lock_imports
from app.service.database.tables.catalog import category, company, product
from app.service.database.visibility import shared, visible_to
from app.service.ids import new_id
from app.service.table_files.reading import file_named, read_csv
from app.service.table_files.table import InvalidRow, RejectedRow, UnreadableTable

BATCH = 1_000
SHOWN_REFUSALS = 20


@dataclass
class CatalogReport:
    """What an import did: entries that are new, companies that changed, rows refused, and the first of those
    as (file, line, reason)."""

    companies: int = 0
    changed: int = 0
    unchanged: int = 0
    categories: int = 0
    products: int = 0
    refused: int = 0
    refusals: list[tuple[str, int, str]] = field(default_factory=list[tuple[str, int, str]])


def import_catalog(
    context: Context,
    paths: Sequence[Path],
    *,
    organisation: str | None = None,
    rejects: Path | None = None,
    progress: Callable[[int], None] | None = None,
) -> CatalogReport:
    """Imports CSV and CSV.gz files. With `organisation`, its name, what is new is its own, and what everybody
    sees is left as it is. `progress` is called with the rows read so far, `rejects` receives a CSV of the
    rows refused. Raises UnreadableTable, naming the file, and UnknownOrganisation."""
    report = CatalogReport()
    with context.database.reading() as connection:
        owner = None if organisation is None else find_organisation(connection, organisation)
    if rejects is not None:
        _write_rejects(rejects, ())
    refused: list[tuple[str, int, str]] = []
    read = 0
    for path in paths:
        rows = _lines(path)
        while some := list(islice(rows, BATCH)):
            lines = [row for row in some if isinstance(row, CompanyLine)]
            refused += [(path.name, row.line, row.reason) for row in some if isinstance(row, RejectedRow)]
            with context.database.writing() as connection:
                lock_imports(connection)
                _Batch(connection, context.clock(), report, owner).write(lines)
            read += len(some)
            if progress:
                progress(read)
    with context.database.writing() as connection:
        rebuild_categories(connection, context.clock())
    report.refused, report.refusals = len(refused), refused[:SHOWN_REFUSALS]
    if rejects is not None:
        _write_rejects(rejects, refused)
    return report


def _write_rejects(path: Path, refused: Iterable[tuple[str, int, str]]) -> None:
    try:
        with path.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([("file", "line", "reason"), *refused])
    except OSError as error:
        raise UnreadableTable(f"{path} cannot be written: {error.strerror}") from None


def _lines(path: Path) -> Iterator[CompanyLine | RejectedRow]:
    with file_named(path), path.open("rb") as stream:
        rows = read_csv(stream)
        header = next(rows)
        if isinstance(header, RejectedRow):
            raise UnreadableTable(f"line {header.line}: {header.reason}")
        columns = columns_of(header[1])
        for row in rows:
            if isinstance(row, RejectedRow):
                yield row
                continue
            try:
                yield read_company(row[1], columns)
            except InvalidRow as error:
                yield RejectedRow(row[0], str(error))


class _Batch:
    """Some lines in one transaction, for an organisation or for everybody."""

    def __init__(
        self, connection: Connection, now: datetime, report: CatalogReport, owner: str | None
    ) -> None:
        self._connection = connection
        self._now = now
        self._report = report
        self._owner = owner
        self._changed: set[str] = set()
        seen = sa.select(category).where(visible_to(category.c, owner))
        # Its own come last and count, where both are of the same name.
        rows = cast(Iterable[Row], connection.execute(seen.order_by(~shared(category.c))).mappings())
        self._categories: dict[tuple[str, str], Row] = {
            (row["parent_id"] or "", row["sort_name"]): row for row in rows
        }

    def write(self, lines: Iterable[CompanyLine]) -> None:
        # The last line about a company counts, and one company is written once.
        asked = {_key(line.domain, line.name): line for line in lines}
        known = self._known(asked)
        new: list[tuple[Row, CompanyLine]] = []
        sellers: list[tuple[Row, CompanyLine]] = []
        for key, line in asked.items():
            row = known.get(key)
            kind = self._category(line)
            if row is None:
                new.append((self._new_row(line, kind), line))
            else:
                sellers.append((row, line))
                self._change(row, line, kind)
        if new:
            self._connection.execute(company.insert(), [row for row, _ in new])
            self._report.companies += len(new)
        with_products = self._add_products([*sellers, *new])
        # A new row shows all it has; only what changed after is built anew.
        if self._owner is None:
            refresh(self._connection, with_products | self._changed, self._now)
        else:
            refresh_for(self._connection, self._owner, with_products | self._changed, self._now)

    def _known(self, asked: Mapping[str, CompanyLine]) -> Mapping[str, Row]:
        known: dict[str, Row] = {}
        domains = [line.domain for line in asked.values() if line.domain]
        names = [company_key(line.name) for line in asked.values()]
        for column, values in ((company.c.domain, domains), (company.c.name_key, names)):
            for some in batched(values, BATCH):
                query = (
                    sa.select(company)
                    .where(
                        column.in_(some),
                        visible_to(company.c, self._owner),
                        company.c.sample.is_(sa.false()),  # what is real is not said of what is invented
                    )
                    .order_by(shared(company.c), company.c.id)
                )
                for row in cast(Iterable[Row], self._connection.execute(query).mappings()):
                    key = _key(row["domain"], row["name"])
                    known.setdefault(key, row)
        # A supplier that an import of purchases made from its name alone learns its domain here.
        for key, line in asked.items():
            nameless = known.get(_key("", line.name))
            if key not in known and nameless is not None:
                known[key] = nameless
        return known

    def _change(self, row: Row, line: CompanyLine, kind: Row | None) -> None:
        values: Record = {
            "name": line.name,
            "sort_name": sort_name(line.name),
            "name_key": company_key(line.name),
            "legal_name": line.legal_name or row["legal_name"],
            "domain": line.domain or row["domain"],
            "category_id": kind["id"] if kind else row["category_id"],
            "discontinued": line.discontinued,
            "details": {**row["details"], **line.details},
        }
        everybodys = self._owner is not None and row["organisation_id"] is None
        if everybodys or all(row[name] == value for name, value in values.items()):
            self._report.unchanged += 1
            return
        self._connection.execute(company.update().where(company.c.id == row["id"]).values(**values))
        self._changed.add(row["id"])
        self._report.changed += 1

    def _category(self, line: CompanyLine) -> Row | None:
        parent = self._category_under(None, line.parent_category)
        if not line.category or sort_name(line.category) == sort_name(line.parent_category):
            return parent
        return self._category_under(parent, line.category)

    def _category_under(self, parent: Row | None, name: str) -> Row | None:
        if not name:
            return None
        parent_id: str | None = parent["id"] if parent else None
        key = (parent_id or "", sort_name(name))
        if key not in self._categories:
            row = category_row(new_id(), name, self._now, parent_id=parent_id, organisation_id=self._owner)
            self._connection.execute(category.insert().values(**row))
            self._categories[key] = row
            self._report.categories += 1
        return self._categories[key]

    def _new_row(self, line: CompanyLine, kind: Row | None) -> Record:
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

    def _add_products(self, sellers: Sequence[tuple[Row, CompanyLine]]) -> set[str]:
        """Adds products that a company does not have yet. Returns the companies that got some."""
        asked = {row["id"]: line.products for row, line in sellers if line.products}
        columns = (product.c.company_id, product.c.name_key)
        there: set[tuple[Any, ...]] = {
            tuple(found)
            for some in batched(asked, BATCH)
            for found in self._connection.execute(
                sa.select(*columns).where(product.c.company_id.in_(some), visible_to(product.c, self._owner))
            )
        }
        made: list[Record] = []
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


def _key(domain: str, name: str) -> str:
    return f"@{domain}" if domain else f"={company_key(name)}"
