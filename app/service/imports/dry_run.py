"""Say what an import of a file would put on record, without a database: for programs and for tests."""

from collections.abc import Iterator
from itertools import chain, islice
from typing import Any

from app.contract.imports import ImportKind
from app.service.agreements.dates.working_days import WorkingDays
from app.service.imports.file_kind import Reading
from app.service.imports.options import FileOptions
from app.service.imports.table_check import describe_table, recognise_table
from app.service.table_files.questions import Questions
from app.service.tables.table import RejectedRow, Table
from app.settings import Settings

_FIRST_ROWS = 20


def list_what_would_be_imported(
    table: Table, options: FileOptions, settings: Settings, kind: ImportKind | None = None
) -> Iterator[dict[str, Any]]:
    """Yield an object about the file, `{recognisedAs, header, sheet, encoding, columns, asks, leftOut}` with
    `missing` columns and `notes`, and then one for each row: its values, or `{row, refused}`.

    `asks` is what neither the file nor an option says: nothing is imported before it is answered. Raises
    UnreadableTable."""
    questions = Questions()
    questions.ask_encoding(table.head.alternatives)
    checked = recognise_table(table.head, options, kind)
    rows = iter(table.rows)
    taken = list(islice(rows, _FIRST_ROWS))
    first = [row for row in taken if not isinstance(row, RejectedRow)]
    preview = describe_table(table.head, checked, first)
    found: list[dict[str, Any]] = []
    if not preview.missing:
        reading = Reading(checked.options, settings, WorkingDays(), questions)
        all_rows = chain([(table.head.line, checked.header)], taken, rows)
        found = [
            {"row": line, "refused": record.reason}
            if isinstance(record, RejectedRow)
            else {"row": line, **checked.kind.describe(record)}
            for line, record in checked.kind.read(reading, all_rows)
        ]
    wire = preview.model_copy(update={"asks": list(questions.asked)}).wire()
    yield {
        "recognisedAs": checked.kind.name,
        "header": wire["headerLine"],
        "sheet": wire.get("sheet"),
        "encoding": wire.get("encoding"),
        **{name: wire[name] for name in ("columns", "missing", "asks", "leftOut", "notes")},
    }
    yield from found
