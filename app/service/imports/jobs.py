"""Background work of imports: check a file, import it, undo it. Each may be done twice, one after the other
or at once, and ended at any point: its effect happens once."""

import logging
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from itertools import chain

from app.contract.imports import (
    MAX_COLUMN_NAME,
    MAX_COLUMNS,
    PREVIEW_ROWS,
    ImportDoubt,
    ImportPreview,
    ImportStatus,
    RefusedRow,
)
from app.service.background.subprocess_job import run_in_subprocess
from app.service.background.tasks import finish_task
from app.service.catalog.estimate_check import request_estimate_check
from app.service.context import Context, open_context
from app.service.imports.file_kind import Advance, FileKind, MatchedColumns, RowCounts, Rows
from app.service.imports.file_kinds import FILE_KINDS, match_kinds, recognise_kind
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
from app.service.purchases.agreement_lines import reprice_agreements
from app.service.storage.file_storage import DamagedFile
from app.service.table_files.cells import format_cell
from app.service.table_files.exports import recognise_export, resolve_columns
from app.service.table_files.isolated_reading import read_table_isolated
from app.service.tables.headings import fold_column_name
from app.service.tables.table import RejectedRow, TableRow, UnreadableTable
from app.settings import Settings

log = logging.getLogger(__name__)

SMALL_BYTES = 1 << 20
"""Up to so many bytes a file is done in the worker itself, which is faster than starting another process."""
MAX_CELL = 200
"""Characters of a cell that a preview shows."""

_COUNTED = (
    "total",
    "new",
    "changed",
    "repeated",
    "refused",
    "companies",
    "products",
    "categories",
    "doubtful",
)

Work = Callable[[Context, StoredImport], None]


def check_import(context: Context, import_id: str) -> None:
    """Recognise the columns of a file and count its rows: `preview`."""
    _do(context, import_id, CHECK_TASK, "checking", _check)


def run_import(context: Context, import_id: str) -> None:
    """Import the rows of a file that was confirmed."""
    _do(context, import_id, IMPORT_TASK, "importing", _import)


def undo_import(context: Context, import_id: str) -> None:
    """Take back the rows that an import brought."""
    _do(context, import_id, UNDO_TASK, "undoing", _undo)


def _do(context: Context, import_id: str, task: str, status: ImportStatus, work: Work) -> None:
    """Do the task, unless the import is not in that status any more."""
    with context.database.reading() as connection:
        one = find_import(connection, import_id)
    if one is not None and one.status == status:
        if one.size > SMALL_BYTES:
            run_in_subprocess(_do_in_subprocess, context.settings, one, work)
        else:
            _try(context, one, work)
        _forget_in_memory(context, one)
    with context.database.writing() as connection:
        finish_task(connection, kind=task, subject_id=import_id)


def _forget_in_memory(context: Context, one: StoredImport) -> None:
    """Forget what this process has in memory of rows that another may have changed."""
    in_memory = FILE_KINDS[one.kind].in_memory if one.kind else None
    if in_memory is not None:
        context.database.memory.forget(in_memory)


def _do_in_subprocess(settings: Settings, one: StoredImport, work: Work) -> None:
    context = open_context(settings)
    try:
        _try(context, one, work)
    finally:
        context.close()


def _try(context: Context, one: StoredImport, work: Work) -> None:
    try:
        work(context, one)
    except UnreadableTable as error:
        reason = str(error)
        fail_import(context, one.id, f"{reason[:1].upper()}{reason[1:]}.")
    except ImportStopped:
        pass


def _check(context: Context, one: StoredImport) -> None:
    with closing(_open_rows(context, one)) as rows:
        header = _read_header(rows)
        export = recognise_export(header)
        if export is not None and export.kind is None:
            raise UnreadableTable(export.refusal)
        proposed = one.kind or (export.kind if export else None)
        kind = FILE_KINDS[proposed] if proposed else recognise_kind(header)
        one = _resolve_columns(one, header, kind)
        matched = kind.match(header, one.mapping, one.ignored_columns)
        first, rest = _take_first(rows)
        preview = ImportPreview(
            columns=list(matched.columns),
            fields=list(matched.fields),
            missing=list(matched.missing),
            rows=[[format_cell(cell)[:MAX_CELL] for cell in cells] for _, cells in first],
            kinds=match_kinds(header),
            recognised_as=export.name if export is not None and export.kind == kind.name else None,
        )
        if not matched.missing:
            counts = kind.count(context, one, _with_header(header, rest), _advance(context, one, "checking"))
            preview = _add_counts(preview, matched, counts)
    with context.database.writing() as connection:
        finish_check(connection, one.id, kind.name, preview.wire(), context.clock())


def _add_counts(preview: ImportPreview, matched: MatchedColumns, counts: RowCounts) -> ImportPreview:
    headings = {column.field or column.name: column.name for column in matched.columns}
    headings |= {fold_column_name(column.name): column.name for column in matched.columns if not column.field}
    return preview.model_copy(
        update={
            **{name: getattr(counts, name) for name in _COUNTED},
            "refusals": [
                RefusedRow(line=row.line, column=headings.get(row.field), reason=row.reason)
                for row in counts.refusals
            ],
            "doubts": [
                ImportDoubt(line=row.line, column=headings.get(row.field), reason=row.reason)
                for row in counts.doubts
            ],
        }
    )


def _import(context: Context, one: StoredImport) -> None:
    kind: FileKind = FILE_KINDS[one.kind or ""]
    with closing(_open_rows(context, one)) as rows:
        header = _read_header(rows)
        one = _resolve_columns(one, header, kind)
        result = kind.write(context, one, _with_header(header, rows), _advance(context, one, "importing"))
    with context.database.writing() as connection:
        complete_import(connection, one.id, result.wire(), context.clock())
        request_estimate_check(connection, one.organisation_id, context.clock())
        if one.kind == "rates":
            reprice_agreements(connection, one.organisation_id, context.clock())


def _resolve_columns(one: StoredImport, header: Sequence[str], kind: FileKind) -> StoredImport:
    """Return the import with the mapping of the export that its file is, as far as nobody asked for
    another."""
    mapping, ignored = resolve_columns(header, kind.name, one.mapping, one.ignored_columns)
    return replace(one, mapping=mapping, ignored_columns=ignored)


def _undo(context: Context, one: StoredImport) -> None:
    FILE_KINDS[one.kind or ""].take_back(context, one)


def _advance(context: Context, one: StoredImport, status: ImportStatus) -> Advance:
    def advance(rows_done: int) -> None:
        with context.database.writing() as connection:
            advance_import(connection, one.id, status, rows_done, context.clock())

    return advance


def _open_rows(context: Context, one: StoredImport) -> Generator[TableRow | RejectedRow]:
    with ExitStack() as stack:
        try:
            path = stack.enter_context(context.files.local_copy(one.file_id, one.sha256))
        except FileNotFoundError:
            raise UnreadableTable("the uploaded file no longer exists") from None
        except DamagedFile as damage:
            log.error("%s", damage)
            raise UnreadableTable(
                "the stored file is damaged: its bytes are not those that were uploaded"
            ) from None
        yield from read_table_isolated(path)


def _read_header(rows: Rows) -> list[str]:
    first = next(rows, None)
    if first is None:
        raise UnreadableTable("the file is empty")
    if isinstance(first, RejectedRow):
        raise UnreadableTable(f"line {first.line}: {first.reason}")
    header = [format_cell(cell).strip() for cell in first[1]]
    if len(header) > MAX_COLUMNS:
        raise UnreadableTable(f"the file has {len(header):,} columns, and {MAX_COLUMNS} are taken at most")
    if any(len(name) > MAX_COLUMN_NAME for name in header):
        raise UnreadableTable(f"the name of a column has more than {MAX_COLUMN_NAME} characters")
    return header


def _with_header(header: list[str], rows: Rows) -> Rows:
    return chain([(1, header)], rows)


def _take_first(rows: Rows) -> tuple[list[TableRow], Iterator[TableRow | RejectedRow]]:
    """Return the first rows, for the preview, and all rows."""
    first: list[TableRow] = []
    taken: list[TableRow | RejectedRow] = []
    for row in rows:
        taken.append(row)
        if not isinstance(row, RejectedRow):
            first.append(row)
        if len(first) == PREVIEW_ROWS or len(taken) == 100:
            break
    return first, chain(taken, rows)
