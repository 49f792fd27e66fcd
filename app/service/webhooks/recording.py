"""Writes what came of many attempts at once: deliveries brought up to date, attempts added.

The rows of a group travel in one statement, not by `executemany`: that one enters the driver for each row and
gives up the interpreter's lock each time, which beside a busy event loop made recording three times slower.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from itertools import chain
from typing import Any

from pydantic_core import to_json
from sqlalchemy import Connection

from app.service.webhooks.sending import Message, Sent

GROUPS = (64, 16, 4, 1)
"""SQLite prepares each statement once, so groups come in few sizes."""


@dataclass(frozen=True, slots=True)
class Owed:
    """A delivery that is due. `tried`: attempts since its schedule began; `attempts`: all that were made."""

    delivery_id: str
    message: Message
    attempts: int
    tried: int


@dataclass(frozen=True, slots=True)
class Attempted:
    """An attempt to be recorded: what was owed, how it went, and when it is tried again, if it is."""

    owed: Owed
    sent: Sent
    ended_at: datetime
    next_at: datetime | None


def record(connection: Connection, attempted: Sequence[Attempted], *, with_answers: bool = True) -> None:
    """Records the attempts in the caller's transaction. Two pumps may overlap for a moment after a takeover;
    the attempt that was recorded first stands."""
    if connection.dialect.name == "sqlite":
        _record_in_sqlite(connection, attempted, with_answers)
    else:
        _record_in_postgresql(connection, attempted, with_answers)


_DELIVERY = (
    "id",
    "status",
    "attempts",
    "step",
    "response_status",
    "next_at",
    "last_attempt_at",
    "successful_at",
    "updated_at",
)
_ATTEMPT = (
    "delivery_id",
    "number",
    "started_at",
    "duration_ms",
    "outcome",
    "detail",
    "request_headers",
    "response_status",
    "response_headers",
    "response_body",
)
_ASSIGNED = ", ".join(
    "successful_at = coalesce(made.successful_at, delivery.successful_at)"
    if name == "successful_at"
    else f"{name} = made.{name}"
    for name in _DELIVERY[1:]
)
Moments = Callable[[datetime], Any]
"""How a store takes a moment."""


def _encode(headers: Mapping[str, str]) -> str:
    # A fraction of what the standard library takes, and this is done twice for each attempt.
    return to_json(headers).decode()


def _delivery_row(entry: Attempted, moment: Moments) -> tuple[Any, ...]:
    verdict = entry.sent.verdict
    unfinished = "failed" if entry.next_at is None else "pending"
    return (
        entry.owed.delivery_id,
        "succeeded" if verdict.succeeded else unfinished,
        entry.owed.attempts + 1,
        entry.owed.tried + 1,
        entry.sent.answer.status if entry.sent.answer else 0,
        None if entry.next_at is None else moment(entry.next_at),
        moment(entry.sent.started_at),
        moment(entry.ended_at) if verdict.succeeded else None,
        moment(entry.ended_at),
    )


def _attempt_row(entry: Attempted, with_answer: bool, moment: Moments) -> tuple[Any, ...]:
    sent = entry.sent
    answer = sent.answer
    return (
        entry.owed.delivery_id,
        entry.owed.attempts + 1,
        moment(sent.started_at),
        sent.duration_ms,
        sent.verdict.outcome.value,
        sent.verdict.detail,
        _encode(sent.request_headers),
        answer.status if answer else 0,
        _encode(answer.headers) if answer and with_answer else None,
        # PostgreSQL's text holds no NUL.
        answer.body.decode("utf-8", "replace").replace("\x00", "\ufffd") if answer and with_answer else None,
    )


# SQLite


@cache
def _sqlite_statements(rows: int) -> tuple[str, str]:
    def values(columns: Sequence[str]) -> str:
        return ",".join(["(" + ",".join("?" * len(columns)) + ")"] * rows)

    update = (
        f"WITH made ({', '.join(_DELIVERY)}) AS (VALUES {values(_DELIVERY)})"
        f" UPDATE delivery SET {_ASSIGNED} FROM made WHERE delivery.id = made.id"
    )
    insert = f"INSERT OR IGNORE INTO attempt ({', '.join(_ATTEMPT)}) VALUES {values(_ATTEMPT)}"
    return update, insert


def _record_in_sqlite(connection: Connection, attempted: Sequence[Attempted], with_answers: bool) -> None:
    at = 0
    while at < len(attempted):
        size = next(size for size in GROUPS if size <= len(attempted) - at)
        group = attempted[at : at + size]
        at += size
        update, insert = _sqlite_statements(size)
        deliveries = chain.from_iterable([_delivery_row(entry, _sqlite_moment) for entry in group])
        attempts = chain.from_iterable([_attempt_row(entry, with_answers, _sqlite_moment) for entry in group])
        connection.exec_driver_sql(update, tuple(deliveries))
        connection.exec_driver_sql(insert, tuple(attempts))


def _sqlite_moment(moment: datetime) -> str:
    """As the column type writes it: UTC, no zone, microseconds."""
    return moment.astimezone(UTC).isoformat(" ", "microseconds")[: len("2026-11-20 12:00:00.000000")]


# PostgreSQL: its driver binds no lists of rows, so they travel as JSON, once for both statements in one.

_MADE = """id text, status text, attempts int, step int, response_status int, next_at timestamptz,
    last_attempt_at timestamptz, successful_at timestamptz, updated_at timestamptz, delivery_id text,
    number int, started_at timestamptz, duration_ms int, outcome text, detail text, request_headers text,
    response_headers text, response_body text"""
_SELECTED = ", ".join(f"{name}::jsonb" if name.endswith("_headers") else name for name in _ATTEMPT)
_RECORD = f"""
    WITH made AS MATERIALIZED (SELECT * FROM jsonb_to_recordset(%s::jsonb) AS made ({_MADE})),
         brought AS (UPDATE delivery SET {_ASSIGNED} FROM made WHERE delivery.id = made.id)
    INSERT INTO attempt ({", ".join(_ATTEMPT)}) SELECT {_SELECTED} FROM made ON CONFLICT DO NOTHING"""


def _record_in_postgresql(connection: Connection, attempted: Sequence[Attempted], with_answers: bool) -> None:
    made = [
        dict(zip(_DELIVERY, _delivery_row(entry, datetime.isoformat), strict=True))
        | dict(zip(_ATTEMPT, _attempt_row(entry, with_answers, datetime.isoformat), strict=True))
        for entry in attempted
    ]
    connection.exec_driver_sql(_RECORD, (to_json(made).decode(),))
