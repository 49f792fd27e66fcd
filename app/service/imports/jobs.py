"""Background work of imports: check a file, import it, undo it. Each may be done twice, one after the other
or at once, and ended at any point: its effect happens once."""

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager

from app.contract.imports import ImportDoubt, ImportPreview, ImportResult, ImportStatus, RefusedRow
from app.service.agreements.working_calendar import load_working_days
from app.service.background.subprocess_job import run_with_own_context
from app.service.background.tasks import finish_task
from app.service.context import Context
from app.service.imports.file_kind import (
    Advance,
    MeasuredRows,
    Reading,
    RowCounts,
    count_added,
    count_rows,
    write_rows,
)
from app.service.imports.file_kinds import FILE_KINDS
from app.service.imports.routes import open_import_file
from app.service.imports.store import (
    CHECK_TASK,
    IMPORT_TASK,
    UNDO_TASK,
    ImportStopped,
    StoredImport,
    advance_import,
    complete_import,
    fail_import,
    find_import,
    finish_check,
)
from app.service.imports.table_check import CheckedTable, open_checked
from app.service.table_files.options import FileOptions
from app.service.table_files.questions import Questions
from app.service.tables.table import UnreadableTable

SMALL_BYTES = 1 << 20
"""Up to so many bytes a file is done in the worker itself, which is faster than starting another process."""
MEMORY = 2 << 30
"""Bytes that a larger one may take in its process; the file itself is read in another one."""

Work = Callable[[Context, StoredImport], None]


def do_import_task(context: Context, import_id: str, task: str) -> None:
    """Check the file of an import, import its rows, or take them back, unless the import is not in that
    status any more."""
    status, work = _TASKS[task]
    with context.database.reading() as connection:
        one = find_import(connection, import_id)
    if one is not None and one.status == status:
        if one.size > SMALL_BYTES:
            run_with_own_context(context, _try, one, work, memory=MEMORY)
        else:
            _try(context, one, work)
        # Rows that this process has in memory may have been changed by another.
        in_memory = FILE_KINDS[one.kind].in_memory if one.kind else None
        if in_memory is not None:
            context.database.memory.forget(in_memory)
    with context.database.writing() as connection:
        finish_task(connection, kind=task, subject_id=import_id)


def _try(context: Context, one: StoredImport, work: Work) -> None:
    try:
        work(context, one)
    except UnreadableTable as error:
        reason = str(error)
        fail_import(context, one.id, f"{reason[:1].upper()}{reason[1:]}.")
    except MemoryError:
        fail_import(context, one.id, "The file needs more memory than one import may use.")
    except ImportStopped:
        pass


def _check(context: Context, one: StoredImport) -> None:
    with _open(context, one) as checked:
        preview, rows, row_bytes = checked.preview, MeasuredRows(checked.rows), 0
        if not preview.missing:
            reading = _prepare_reading(context, one, checked.options, checked.questions)
            advance = _advance(context, one, "checking")
            counts = count_rows(checked.kind, context, one, reading, iter(rows), advance)
            preview = _add_counts(preview, counts)
            row_bytes = rows.bytes * (counts.new + counts.changed) // max(counts.total, 1)
    preview = preview.model_copy(update={"asks": list(checked.questions.asked)})
    with context.database.writing() as connection:
        finish_check(connection, one.id, checked.kind.name, preview.wire(), row_bytes, context.clock())


@contextmanager
def _open(context: Context, one: StoredImport) -> Generator[CheckedTable]:
    with (
        open_import_file(context, one) as found,
        open_checked(found, one.options, one.kind) as checked,
    ):
        yield checked


def _add_counts(preview: ImportPreview, counts: RowCounts) -> ImportPreview:
    counted = {name: getattr(counts, name) for name in ImportPreview.model_fields if hasattr(counts, name)}
    for name, of in (("refusals", RefusedRow), ("doubts", ImportDoubt)):
        rows = counted[name]
        counted[name] = [of(line=row.line, column=row.column or None, reason=row.reason) for row in rows]
    return preview.model_copy(update=counted)


def _import(context: Context, one: StoredImport) -> None:
    with _open(context, one) as checked:
        reading = _prepare_reading(context, one, checked.options)
        result = _write(context, one, checked, reading)
    with context.database.writing() as connection:
        complete_import(connection, one.id, result.wire(), context.clock())
        checked.kind.request_following(connection, one.organisation_id, context.clock())


def _write(context: Context, one: StoredImport, checked: CheckedTable, reading: Reading) -> ImportResult:
    kind, advance, done, refused = checked.kind, _advance(context, one, "importing"), 0, 0
    writer = kind.open_writer(context, one.organisation_id, one.id)
    transaction = context.database.one_transaction
    for records, left_out in write_rows(kind, writer, reading, checked.rows, advance, transaction):
        refused += len(left_out)
        done += len(records) + len(left_out)
    advance(done)  # raises where it was cancelled
    result = writer.finish()
    accepted = result.imported + result.repeated + (result.changed or 0)
    # A kill may have come between some of the rows, which count too.
    rows = count_added(context, one.id)
    result = result.model_copy(update={name: rows.get(table, 0) for name, table in kind.added.items()})
    repeated = accepted - result.imported - (result.changed or 0)
    return result.model_copy(update={"repeated": repeated, "refused": refused})


def _prepare_reading(
    context: Context, one: StoredImport, options: FileOptions, questions: Questions | None = None
) -> Reading:
    with context.database.reading() as connection:
        days = load_working_days(connection, one.organisation_id)
    return Reading(options, context.settings, days, questions)


def _advance(context: Context, one: StoredImport, status: ImportStatus) -> Advance:
    def advance(rows_done: int) -> None:
        with context.database.writing() as connection:
            advance_import(connection, one.id, status, rows_done, context.clock())

    return advance


_TASKS: Mapping[str, tuple[ImportStatus, Work]] = {
    CHECK_TASK: ("checking", _check),
    IMPORT_TASK: ("importing", _import),
    UNDO_TASK: ("undoing", lambda context, one: FILE_KINDS[one.kind or ""].take_back(context, one)),
}
"""What is done of an import in which status."""
