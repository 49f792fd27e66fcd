"""Writes what came of many attempts at once: deliveries brought up to date, attempts added.

The rows of a group travel as one JSON text. With a parameter for each value the driver is entered for each
row or for each of a few sizes of groups, and gives up the interpreter's lock each time, which beside a busy
event loop made recording three times slower.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from pydantic_core import to_json
from sqlalchemy import Connection

from app.service.webhooks.sending import Message, Sent


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


Moments = Callable[[datetime], str]
"""How a store takes a moment."""


def record(connection: Connection, attempted: Sequence[Attempted], *, with_answers: bool = True) -> None:
    """Records the attempts in the caller's transaction. Two pumps may overlap for a moment after a takeover;
    the attempt that was recorded first stands."""
    in_sqlite = connection.dialect.name == "sqlite"
    moment = _sqlite_moment if in_sqlite else datetime.isoformat
    made = to_json([_made(entry, with_answers, moment) for entry in attempted]).decode()
    for statement in _IN_SQLITE if in_sqlite else _IN_POSTGRESQL:
        connection.exec_driver_sql(statement, (made,))


def _made(entry: Attempted, with_answer: bool, moment: Moments) -> dict[str, Any]:
    """What an attempt makes of its delivery, and its own row."""
    owed, sent = entry.owed, entry.sent
    verdict, answer = sent.verdict, sent.answer
    unfinished = "failed" if entry.next_at is None else "pending"
    ended_at = moment(entry.ended_at)
    made: dict[str, Any] = {
        "delivery_id": owed.delivery_id,
        "status": "succeeded" if verdict.succeeded else unfinished,
        "number": owed.attempts + 1,
        "step": owed.tried + 1,
        "next_at": None if entry.next_at is None else moment(entry.next_at),
        "successful_at": ended_at if verdict.succeeded else None,
        "ended_at": ended_at,
        "started_at": moment(sent.started_at),
        "duration_ms": sent.duration_ms,
        "outcome": verdict.outcome.value,
        "detail": verdict.detail,
        "request_headers": sent.request_headers,
        "response_status": answer.status if answer else 0,
    }
    if answer and with_answer:
        made["response_headers"] = answer.headers
        # PostgreSQL's text holds no NUL.
        made["response_body"] = answer.body.decode("utf-8", "replace").replace("\x00", "\ufffd")
    return made


def _sqlite_moment(moment: datetime) -> str:
    """As the column type writes it: UTC, no zone, microseconds."""
    return moment.astimezone(UTC).isoformat(" ", "microseconds")[: len("2026-11-20 12:00:00.000000")]


_BRING = """UPDATE delivery SET status = made.status, attempts = made.number, step = made.step,
    response_status = made.response_status, next_at = made.next_at, last_attempt_at = made.started_at,
    successful_at = coalesce(made.successful_at, delivery.successful_at), updated_at = made.ended_at
    FROM made WHERE delivery.id = made.delivery_id"""
_BROUGHT = (
    "delivery_id",
    "status",
    "number",
    "step",
    "response_status",
    "next_at",
    "started_at",
    "successful_at",
    "ended_at",
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
_ATTEMPTS = f"attempt ({', '.join(_ATTEMPT)})"


def _from_sqlite_json(*names: str) -> str:
    return (
        "SELECT "
        + ", ".join(f"json_extract(value, '$.{name}') AS {name}" for name in names)
        + " FROM json_each(?)"
    )


_IN_SQLITE = (
    f"WITH made AS MATERIALIZED ({_from_sqlite_json(*_BROUGHT)}) {_BRING}",
    f"INSERT OR IGNORE INTO {_ATTEMPTS} {_from_sqlite_json(*_ATTEMPT)}",
)
_IN_POSTGRESQL = (
    f"""WITH made AS MATERIALIZED (SELECT * FROM jsonb_to_recordset(%s::jsonb) AS made (delivery_id text,
        status text, number int, step int, next_at timestamptz, successful_at timestamptz,
        ended_at timestamptz, started_at timestamptz, duration_ms int, outcome text, detail text,
        request_headers jsonb, response_status int, response_headers jsonb, response_body text)),
    brought AS ({_BRING})
    INSERT INTO {_ATTEMPTS} SELECT {", ".join(_ATTEMPT)} FROM made ON CONFLICT DO NOTHING""",
)
