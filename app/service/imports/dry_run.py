"""Say what an import of a file would put on record, without a database: for programs and for tests."""

from typing import Any

from app.contract.imports import ImportKind, ImportRows, ImportTable
from app.service.agreements.dates.working_days import WorkingDays
from app.service.imports.file_kind import Reading
from app.service.imports.table_check import open_checked
from app.service.table_files.options import FileOptions
from app.service.tables.table import RejectedRow, Table
from app.settings import Settings


def read_dry(
    table: Table,
    options: FileOptions,
    settings: Settings,
    kind: ImportKind | None = None,
    *,
    most: int | None = None,
) -> ImportRows:
    """Return what importing a table would put on record, of `most` rows where that is given.

    `file.asks` is what neither the file nor an option says: nothing is imported before it is answered. Raises
    UnreadableTable."""
    with open_checked(table, options, kind, most) as checked:
        preview, found = checked.preview, list[dict[str, Any]]()
        if not preview.missing:
            reading = Reading(checked.options, settings, WorkingDays(), checked.questions)
            found = [
                {"row": line, "refused": record.reason}
                if isinstance(record, RejectedRow)
                else {"row": line, **checked.kind.describe(record)}
                for line, record in checked.kind.read(reading, checked.rows)
            ]
        asks = list(checked.questions.asked)
        file = ImportTable.build_from(
            preview, recognised_as=checked.kind.name, header=preview.header_line, asks=asks
        )
        return ImportRows(file=file, rows=found)
