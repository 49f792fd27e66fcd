"""Import files that an operator names, of any kind: what came in, what was refused and why."""

import csv
import gc
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path

from app.contract.imports import ImportKind, ImportResult
from app.service.access.keys import find_organisation
from app.service.agreements.dates.working_days import WorkingDays
from app.service.agreements.working_calendar import load_working_days
from app.service.context import Context
from app.service.imports.file_kind import FileKind, Reading, Rows, write_rows
from app.service.imports.file_kinds import FILE_KINDS
from app.service.table_files.exports import recognise_export
from app.service.table_files.isolated_reading import open_table_file
from app.service.table_files.options import NOTHING_STATED, FileOptions
from app.service.table_files.questions import Questions
from app.service.table_files.reading import check_gzip, name_file_in_errors
from app.service.tables.reading import list_rows
from app.service.tables.table import UnreadableTable

TRANSACTION_ROWS = 50_000
"""Rows of one transaction: the more rows, the fewer times a page of an index is written."""
MAX_LISTED = 20

Progress = Callable[[int], None]
"""Called with the rows of a file read so far."""
Remark = tuple[str, int, str]
"""A file, a line in it, and a sentence."""


@dataclass
class FilesReport:
    """What became of the rows of files. `refusals` and `doubts` are the first of them; `ignored_columns` are
    stored with purchases but became no pricing dimension, each with the reason; `assumptions` say what was
    taken where nothing says it."""

    result: ImportResult = field(default_factory=lambda: ImportResult(imported=0, repeated=0, refused=0))
    doubtful: int = 0
    refusals: list[Remark] = field(default_factory=list[Remark])
    doubts: list[Remark] = field(default_factory=list[Remark])
    ignored_columns: Mapping[str, str] = field(default_factory=dict[str, str])
    assumptions: Sequence[str] = ()


def import_files(
    context: Context,
    kind_name: ImportKind,
    paths: Sequence[Path],
    said: FileOptions = NOTHING_STATED,
    *,
    organisation: str | None = None,
    rejects: Path | None = None,
    progress: Progress = lambda _: None,
) -> FilesReport:
    """Import files of one kind. With `organisation`, a name, their rows are for it alone, else everybody's;
    `rejects` receives a CSV of the refused rows.

    Raises UnreadableTable, naming the file, before anything of any file is written where its beginning shows
    it; UnknownOrganisation; and ApiProblem where the organisation may not have as many.
    """
    kind, report, read, refused = FILE_KINDS[kind_name], FilesReport(), 0, 0
    with context.database.reading() as connection:
        owner = None if organisation is None else find_organisation(connection, organisation)
        days = load_working_days(connection, owner) if owner else WorkingDays()
    questions = Questions(wait=False) if kind.describe_assumptions else None
    reading = Reading(said, context.settings, days, questions)
    for path in paths if not kind.is_whole else ():
        with name_file_in_errors(path):
            check_gzip(path)
        with _open(kind, path, reading) as (stated, rows):
            next(kind.read(stated, rows), None)
    writer = kind.open_writer(context, owner, None)
    of_all, of_some = context.database.one_transaction, nullcontext
    if not kind.is_whole:
        of_all, of_some = of_some, of_all
    with _open_rejects(rejects) as reject, _pause_garbage_collector(), of_all():
        try:
            for path in paths:
                with _open(kind, path, reading) as (stated, rows):
                    for records, left_out in write_rows(
                        kind, writer, stated, rows, lambda _: None, of_some, TRANSACTION_ROWS
                    ):
                        read += len(records) + len(left_out)
                        refused += len(left_out)
                        doubts = list(kind.list_doubts_beside(records, left_out))
                        report.doubtful += len(doubts)
                        for listed, remarks in ((report.refusals, left_out), (report.doubts, doubts)):
                            shown = remarks[: MAX_LISTED - len(listed)]
                            listed += [(path.name, one.line, one.reason) for one in shown]
                        for one in left_out:
                            reject((path.name, one.line, one.row_id, one.reason))
                        progress(read)
        finally:
            report.result = writer.finish().model_copy(update={"refused": refused})
        with context.database.writing() as connection:
            kind.request_following(connection, owner, context.clock())
            if owner is not None and kind.is_whole:
                kind.quota.require_room_for(0, connection, context.settings, owner, "Import fewer")
    if kind.in_memory is not None:
        context.database.memory.forget(kind.in_memory)
    report.ignored_columns = getattr(writer, "ignored_columns", report.ignored_columns)
    if kind.describe_assumptions and questions:
        report.assumptions = tuple(kind.describe_assumptions(questions, context.settings))
    return report


@contextmanager
def _open(kind: FileKind, path: Path, reading: Reading) -> Generator[tuple[Reading, Rows]]:
    """Open a file; what is known of it besides is in the reading."""
    with name_file_in_errors(path), open_table_file(path, reading.options) as found:
        export = recognise_export(found.head.headings)
        if export is not None and export.kind != kind.name:
            raise UnreadableTable(export.refusal or f"this file holds {export.kind}: import it as such")
        table, said, _ = kind.prepare(found, reading.options, kind.columns)
        yield replace(reading, options=said), list_rows(table)


@contextmanager
def _open_rejects(path: Path | None) -> Generator[Callable[[Sequence[object]], object]]:
    """Yield what writes a refused row to a file, if there is one."""
    if path is None:
        yield lambda _: None
        return
    try:
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(("file", "line", "row_id", "reason"))
            yield writer.writerow
    except OSError as error:
        raise UnreadableTable(f"{path} cannot be written: {error.strerror}") from None


@contextmanager
def _pause_garbage_collector() -> Generator[None]:
    """Rows are in no reference cycles; searching growing batches of them for cycles took an eighth of an
    import."""
    searched = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if searched:
            gc.enable()
