"""Say what an import of a file would put on record, without a database: for programs and for tests."""

from dataclasses import replace
from itertools import islice
from typing import Any

from app.contract.imports import ImportKind, ImportRows, ImportTable
from app.service.agreements.dates.working_days import WorkingDays
from app.service.imports.file_kind import Reading
from app.service.imports.table_check import check_table, choose_sheet, describe_table
from app.service.table_files.options import FileOptions
from app.service.table_files.questions import Questions
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
    with choose_sheet(table, options, kind) as table:
        questions = Questions()
        questions.ask_about_table(table.head, options.sheet)
        checked = check_table(replace(table, rows=islice(table.rows, most)), options, kind)
        preview = describe_table(table.head, checked)
        found: list[dict[str, Any]] = []
        if not preview.missing:
            reading = Reading(checked.options, settings, WorkingDays(), questions)
            found = [
                {"row": line, "refused": record.reason}
                if isinstance(record, RejectedRow)
                else {"row": line, **checked.kind.describe(record)}
                for line, record in checked.kind.read(reading, checked.rows)
            ]
        file = ImportTable.build_from(
            preview, recognised_as=checked.kind.name, header=table.head.line, asks=list(questions.asked)
        )
        return ImportRows(file=file, rows=found)
