"""How much an organisation may store. What is over a quota is refused with 409, which no Idempotency-Key
keeps: the same call succeeds once there is room."""

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.access import ByteKind
from app.service.database.engine import Database
from app.service.database.tables import data_import, file, organisation, written_bytes
from app.service.database.visibility import owned_by
from app.service.http.problems import ApiProblem
from app.settings import Settings


def lock_organisation(connection: Connection, organisation_id: str) -> None:
    """Makes what is counted for the organisation hold until the transaction ends. It does not wait for those
    who only refer to the organisation. SQLite's writing transaction is that lock.

    So that no two transactions wait for each other, each takes its locks in one order: that of imports
    (`lock_imports`), the organisation's, those of rows."""
    connection.execute(
        sa.select(organisation.c.id)
        .where(organisation.c.id == organisation_id)
        .with_for_update(key_share=True)
    )


def require_room(has: int, limit: int, *, things: str, setting: str, way_out: str) -> None:
    """Raises ApiProblem 409 when an organisation has as many `things` as it may have."""
    if has >= limit:
        raise ApiProblem(
            409,
            f"The organisation has {has:,} {things}, and may have {limit:,} ({setting}). {way_out}, or ask"
            " the operator for more.",
        )


def sum_bytes(connection: Connection, kind: ByteKind, organisation_id: str) -> int:
    columns = {"files": file.c.size, "imports": data_import.c.row_bytes, "calls": written_bytes.c.number}
    column = columns[kind]
    query = sa.select(sa.func.coalesce(sa.func.sum(column), 0)).where(
        owned_by(column.table.c, organisation_id)
    )
    if kind == "imports":
        query = query.where(data_import.c.status.in_(("importing", "undoing", "completed")))
    return int(connection.scalar(query) or 0)


_LIMITS: dict[ByteKind, tuple[str, str, str]] = {
    "files": (
        "max_file_bytes",
        "bytes in files with this one",
        "Name a file that was uploaded before instead of sending it again",
    ),
    "imports": (
        "max_import_bytes",
        "bytes of imported text with this file's",
        "Undo another import",
    ),
    "calls": (
        "max_written_bytes",
        "bytes of text that calls wrote, with this one's",
        "Upload what is long as a file",
    ),
}
"""The setting of each kind, what its bytes are called, and what one does without more of them."""


def read_byte_limit(settings: Settings, kind: ByteKind) -> int:
    return getattr(settings, _LIMITS[kind][0])


def require_byte_room(
    connection: Connection, settings: Settings, organisation_id: str, kind: ByteKind, added: int
) -> None:
    """Raises ApiProblem 409 where the organisation may not have `added` bytes more."""
    setting, things, way_out = _LIMITS[kind]
    require_room(
        sum_bytes(connection, kind, organisation_id) + added - 1,
        read_byte_limit(settings, kind),
        things=things,
        setting=f"PARLEY_{setting.upper()}",
        way_out=way_out,
    )


def count_written(connection: Connection, settings: Settings, organisation_id: str, added: int) -> None:
    """Count the bytes that a call wrote, in its transaction, by a row of its own: nobody waits for another's.
    Raises ApiProblem 409 where there is no room for them."""
    require_byte_room(connection, settings, organisation_id, "calls", added)
    connection.execute(written_bytes.insert().values(organisation_id=organisation_id, number=added))


def sum_up_written(database: Database) -> None:
    """Replace the rows of each organisation by their sum. What is added meanwhile stays apart."""
    split = (
        sa.select(written_bytes.c.organisation_id)
        .group_by(written_bytes.c.organisation_id)
        .having(sa.func.count() > 1)
    )
    with database.reading() as connection:
        organisations = connection.scalars(split).all()
    for one in organisations:
        with database.writing() as connection:
            taken = sa.delete(written_bytes).where(owned_by(written_bytes.c, one))
            numbers = connection.scalars(taken.returning(written_bytes.c.number)).all()
            if numbers:
                total = {"organisation_id": one, "number": sum(numbers)}
                connection.execute(written_bytes.insert().values(total))
