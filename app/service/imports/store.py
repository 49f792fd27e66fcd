"""Store and load imports, and move them from one status to the next: each move happens once."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import ColumnElement, Connection, Table

from app.contract.imports import (
    OPEN_STATUSES,
    UNDO_TIME,
    DateOrder,
    ImportKind,
    ImportQuery,
    ImportStatus,
    NewImport,
)
from app.contract.page import PageRequest
from app.service.access.audit import (
    IMPORT_CANCELLED,
    IMPORT_COMPLETED,
    IMPORT_FAILED,
    IMPORT_REFUSED,
    IMPORT_UNDONE,
    Outcome,
    Subject,
    record_outcome,
)
from app.service.access.caller import RecordOrigin
from app.service.access.quotas import lock_organisation, require_byte_room, require_room
from app.service.background.tasks import enqueue_task
from app.service.context import Context
from app.service.database.rows import count_rows, read_page
from app.service.database.tables import data_import, file
from app.service.database.visibility import owned_by
from app.service.http.problems import ApiProblem
from app.service.ids import new_id
from app.service.table_files.options import FileOptions
from app.settings import Settings

ANSWERS = ("sheet", "encoding", "number_format", "currency", "price_per", "states", "blank_cells")
"""The fields of a new import by which a person says what the file does not."""
CHECK_TASK, IMPORT_TASK, UNDO_TASK = "check_import", "import", "undo_import"


@dataclass(frozen=True)
class StoredImport:
    """A row of `data_import` with what is known of its file. The documents are as on the wire."""

    id: str
    organisation_id: str
    file_id: str
    filename: str
    size: int
    sha256: str
    kind: ImportKind | None
    status: ImportStatus
    mapping: Mapping[str, str]
    ignored_columns: Sequence[str]
    base_currency: str | None
    date_order: DateOrder | None
    answers: Mapping[str, Any] | None
    preview: Mapping[str, Any] | None
    row_bytes: int | None
    rows_done: int
    result: Mapping[str, Any] | None
    removal: Mapping[str, Any] | None
    error: str | None
    created_at: datetime
    updated_at: datetime
    completed_at: datetime | None

    @property
    def options(self) -> FileOptions:
        """What a person said of the file."""
        return FileOptions(
            self.mapping, self.ignored_columns, self.base_currency, self.date_order, **(self.answers or {})
        )


class ImportStopped(Exception):
    """The import was cancelled, or another worker has done this step."""


_SELECT = sa.select(
    *(
        file.c[each.name] if each.name in ("filename", "size", "sha256") else data_import.c[each.name]
        for each in fields(StoredImport)
    )
).join(file, file.c.id == data_import.c.file_id)


def create_import(connection: Connection, new: NewImport, origin: RecordOrigin, *, max_imports: int) -> str:
    """Write an import whose file is to be checked, and ask for the check. Raises ApiProblem 409 when the
    organisation has as many open imports as it may."""
    organisation_id, now = origin.organisation_id, origin.now
    lock_organisation(connection, organisation_id)
    is_open = data_import.c.organisation_id == organisation_id, data_import.c.status.in_(OPEN_STATUSES)
    require_room(
        count_rows(connection, data_import, *is_open),
        max_imports,
        things="open imports",
        setting="PARLEY_MAX_IMPORTS",
        way_out="Confirm or cancel one that waits",
    )
    import_id = new_id()
    connection.execute(
        data_import.insert().values(
            id=import_id,
            organisation_id=organisation_id,
            file_id=new.file_id,
            kind=new.kind,
            status="checking",
            mapping=new.mapping,
            ignored_columns=new.ignore,
            base_currency=new.base_currency,
            date_order=new.date_order,
            answers={name: answer for name in ANSWERS if (answer := getattr(new, name))},
            end_user=origin.end_user,
            created_at=now,
            updated_at=now,
        )
    )
    _ask_for(connection, CHECK_TASK, import_id, organisation_id, now)
    return import_id


def find_import(connection: Connection, import_id: str) -> StoredImport | None:
    row = connection.execute(_SELECT.where(data_import.c.id == import_id)).first()
    return None if row is None else StoredImport(*row)


def list_imports(
    connection: Connection, organisation_id: str, query: ImportQuery, page: PageRequest
) -> tuple[int, list[StoredImport]]:
    """Return how many imports there are, and a page of them, newest first."""
    chosen: list[ColumnElement[bool]] = [data_import.c.organisation_id == organisation_id]
    if status := query.get("status"):
        chosen.append(data_import.c.status == status)
    newest_first = data_import.c.created_at.desc(), data_import.c.id.desc()
    total, rows = read_page(connection, _SELECT.where(*chosen).order_by(*newest_first), page)
    return total, [StoredImport(*row) for row in rows]


def confirm_import(connection: Connection, one: StoredImport, now: datetime) -> None:
    """Ask for the import of a file that was checked. Raises ApiProblem 409 in any other status."""
    if not _move(connection, one.id, ("ready",), now, status="importing", rows_done=0):
        raise ApiProblem(409, _WHY_NOT_CONFIRMED.get(one.status, "This import was confirmed before."))
    _ask_for(connection, IMPORT_TASK, one.id, one.organisation_id, now)


_WHY_NOT_CONFIRMED: dict[ImportStatus, str] = {
    "checking": "The file is still being checked; confirm the import when its status is ready.",
    "incomplete": "The preview says which columns are missing and what is asked; begin an import of this file"
    " with a mapping for them and with the answers.",
    "cancelled": "This import was cancelled; begin another one with the same file.",
    "failed": "This import failed; its error says why.",
}


def withdraw_import(connection: Connection, one: StoredImport, now: datetime) -> None:
    """Cancel an import, or undo it; nothing happens to one that has ended without rows. Raises ApiProblem 409
    when it is too late to undo it."""
    if _move(connection, one.id, ("checking", "incomplete", "ready"), now, status="cancelled"):
        return
    if _move(connection, one.id, ("importing",), now, status="undoing", ends_as="cancelled"):
        _ask_for(connection, UNDO_TASK, one.id, one.organisation_id, now)
        return
    in_time = data_import.c.completed_at > now - UNDO_TIME
    if _move(connection, one.id, ("completed",), now, in_time, status="undoing", ends_as="undone"):
        _ask_for(connection, UNDO_TASK, one.id, one.organisation_id, now)
    elif one.status == "completed":
        raise ApiProblem(409, "An import can be undone for a day after it was completed; this one is older.")


def finish_check(
    connection: Connection,
    import_id: str,
    kind: ImportKind,
    preview: Mapping[str, Any],
    row_bytes: int,
    now: datetime,
) -> None:
    """Store what a check found; `row_bytes` is how much text the rows have that the import would add."""
    status: ImportStatus = "incomplete" if preview["missing"] or preview["asks"] else "ready"
    found = {"status": status, "kind": kind, "preview": preview, "row_bytes": row_bytes, "rows_done": 0}
    _move(connection, import_id, ("checking",), now, **found)


def advance_import(
    connection: Connection, import_id: str, status: ImportStatus, rows_done: int, now: datetime
) -> None:
    """Store how many rows are done, at the end of the transaction that does them. Raises ImportStopped when
    the import is not in that status any more."""
    if not _move(connection, import_id, (status,), now, rows_done=rows_done):
        raise ImportStopped


def complete_import(connection: Connection, import_id: str, result: Mapping[str, Any], now: datetime) -> None:
    changes = {"status": "completed", "result": result, "completed_at": now}
    if _move(connection, import_id, ("importing",), now, **changes):
        _record(connection, IMPORT_COMPLETED, import_id, now)


def fail_import(context: Context, import_id: str, reason: str) -> None:
    """Mark an import as failed; what it has imported so far is taken back first."""
    now = context.clock()
    with context.database.writing() as connection:
        if _move(connection, import_id, ("checking",), now, status="failed", error=reason):
            _record(connection, IMPORT_REFUSED, import_id, now)
        undoing = {"status": "undoing", "ends_as": "failed", "error": reason}
        if _move(connection, import_id, ("importing",), now, **undoing):
            one = find_import(connection, import_id)
            assert one is not None
            _ask_for(connection, UNDO_TASK, import_id, one.organisation_id, now)


def finish_undoing(connection: Connection, import_id: str, now: datetime) -> None:
    if _move(connection, import_id, ("undoing",), now, status=data_import.c.ends_as, removed_at=now):
        status = connection.scalar(sa.select(data_import.c.status).where(data_import.c.id == import_id))
        _record(connection, _UNDOING_ENDS[str(status)], import_id, now)


_UNDOING_ENDS = {"undone": IMPORT_UNDONE, "cancelled": IMPORT_CANCELLED, "failed": IMPORT_FAILED}


def _record(connection: Connection, outcome: Outcome, import_id: str, now: datetime) -> None:
    """Write what became of an import into the audit log."""
    one = find_import(connection, import_id)
    assert one is not None  # it was changed in this transaction
    record_outcome(connection, outcome, Subject(one.organisation_id, one.id, one.filename), now)


def save_removal(connection: Connection, import_id: str, removal: Mapping[str, Any], now: datetime) -> None:
    """Store what was taken back so far."""
    _move(connection, import_id, ("undoing",), now, removal=removal, removed_at=now)


def _move(
    connection: Connection,
    import_id: str,
    statuses: Sequence[ImportStatus],
    now: datetime,
    *conditions: ColumnElement[bool],
    **values: Any,
) -> bool:
    """Change an import that is in one of these statuses; whether it was."""
    changed = connection.execute(
        data_import.update()
        .where(data_import.c.id == import_id, data_import.c.status.in_(statuses), *conditions)
        .values(updated_at=now, **values)
    )
    return changed.rowcount == 1


def _ask_for(connection: Connection, kind: str, import_id: str, organisation_id: str, now: datetime) -> None:
    enqueue_task(connection, kind=kind, subject_id=import_id, organisation_id=organisation_id, now=now)


@dataclass(frozen=True)
class Quota:
    """How many `things` an organisation may have, by which setting; how many it has; and the counts of a
    preview which say how many an import adds."""

    things: str
    setting: str
    limit: Callable[[Settings], int]
    count_own: Callable[[Connection, str], int]
    adds: Sequence[str] = ("new",)

    def require_room(self, connection: Connection, settings: Settings, one: StoredImport) -> None:
        """Raise ApiProblem 409 where the organisation may not have what this import would add. What its other
        confirmed imports add counts while they run: several at once cannot exceed the quota together."""
        lock_organisation(connection, one.organisation_id)
        confirmed = sa.select(data_import.c.preview).where(
            data_import.c.organisation_id == one.organisation_id,
            data_import.c.kind == one.kind,
            data_import.c.status == "importing",
        )
        waiting = sum(self._count_added(preview) for preview in connection.scalars(confirmed))
        more = waiting + self._count_added(one.preview or {})
        self.require_room_for(more, connection, settings, one.organisation_id, "Undo another import")

    def require_room_for(
        self, more: int, connection: Connection, settings: Settings, owner: str, way_out: str
    ) -> None:
        """Raise ApiProblem 409 where the organisation may not have so many more."""
        require_room(
            self.count_own(connection, owner) + more - 1,
            self.limit(settings),
            things=f"{self.things} with these",
            setting=self.setting,
            way_out=way_out,
        )

    def _count_added(self, preview: Mapping[str, Any]) -> int:
        return sum(int(preview.get(name) or 0) for name in self.adds)


def require_text_room(connection: Connection, settings: Settings, one: StoredImport) -> None:
    """Raise ApiProblem 409 where the organisation may not have the text that this import would add. A small
    packed file may unfold to any amount of it."""
    lock_organisation(connection, one.organisation_id)
    require_byte_room(connection, settings, one.organisation_id, "imports", one.row_bytes or 0)


def count_owned(*tables: Table) -> Callable[[Connection, str], int]:
    """Return what counts how many rows of the tables are an organisation's own."""
    return lambda connection, owner: sum(count_rows(connection, t, owned_by(t.c, owner)) for t in tables)
