"""Import catalog files that an operator names: companies with their categories and, where the file names
them, their products.

Importing a file again changes nothing; a newer file updates what it contains and leaves the rest.
"""

import csv
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from app.service.access.keys import find_organisation
from app.service.catalog.catalog_plan import BATCH_ROWS, CatalogWriter
from app.service.catalog.company_rows import CompanyLine, prepare_companies, read_company_rows
from app.service.catalog.denormalise import rebuild_categories
from app.service.catalog.estimate_check import request_estimate_check
from app.service.context import Context
from app.service.database.batches import batched
from app.service.database.paging import sum_up_counts
from app.service.table_files.isolated_reading import open_table_file
from app.service.table_files.options import NOTHING_STATED, FileOptions
from app.service.table_files.reading import check_gzip, name_file_in_errors
from app.service.tables.reading import list_rows
from app.service.tables.table import RejectedRow, UnreadableTable

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
    said: FileOptions = NOTHING_STATED,
    *,
    organisation: str | None = None,
    rejects: Path | None = None,
    progress: Callable[[int], None] | None = None,
) -> CatalogReport:
    """Import table files of any format. With `organisation`, a name, new entries belong to it alone, and
    shared entries stay unchanged. `progress` is called with the number of rows read so far; `rejects`
    receives a CSV of the rejected rows. Raises UnreadableTable, naming the file, and UnknownOrganisation."""
    with context.database.reading() as connection:
        owner = None if organisation is None else find_organisation(connection, organisation)
    if rejects is not None:
        _write_rejects(rejects, ())
    writer = CatalogWriter(owner, context.clock)
    refused: list[tuple[str, int, str]] = []
    read = 0
    for path in paths:
        with name_file_in_errors(path):
            check_gzip(path)
            with open_table_file(path, said) as found:
                table, stated, _ = prepare_companies(found, said)
                for some in batched(read_company_rows(list_rows(table), stated), BATCH_ROWS):
                    rejected = [row for row in some if isinstance(row, RejectedRow)]
                    refused += [(path.name, row.line, row.reason) for row in rejected]
                    with context.database.writing() as connection:
                        writer.write(connection, [row for row in some if isinstance(row, CompanyLine)])
                    read += len(some)
                    if progress:
                        progress(read)
    with context.database.writing() as connection:
        rebuild_categories(connection, context.clock())
        request_estimate_check(connection, owner, context.clock())
    sum_up_counts(context.database)
    if rejects is not None:
        _write_rejects(rejects, refused)
    return CatalogReport(
        companies=writer.companies,
        changed=writer.changed,
        unchanged=writer.unchanged,
        categories=writer.categories,
        products=writer.products,
        rejected=len(refused),
        rejections=refused[:MAX_LISTED_REJECTIONS],
    )


def _write_rejects(path: Path, refused: Iterable[tuple[str, int, str]]) -> None:
    try:
        with path.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([("file", "line", "reason"), *refused])
    except OSError as error:
        raise UnreadableTable(f"{path} cannot be written: {error.strerror}") from None
