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
    # Apart, because SQLite reads the whole of a row's text again for each statement.
    brought = to_json([_brought(entry, moment) for entry in attempted]).decode()
    added = to_json([_added(entry, with_answers, moment) for entry in attempted]).decode()
    if in_sqlite:
        connection.exec_driver_sql(_BRING_IN_SQLITE, (brought,))
        connection.exec_driver_sql(_ADD_IN_SQLITE, (added,))
    else:
        connection.exec_driver_sql(_BOTH_IN_POSTGRESQL, (brought, added))


def _brought(entry: Attempted, moment: Moments) -> dict[str, Any]:
    """What an attempt makes of its delivery."""
    succeeded, answer = entry.sent.verdict.succeeded, entry.sent.answer
    ended_at = moment(entry.ended_at)
    return {
        "delivery_id": entry.owed.delivery_id,
        "status": "succeeded" if succeeded else "failed" if entry.next_at is None else "pending",
        "number": entry.owed.attempts + 1,
        "step": entry.owed.tried + 1,
        "response_status": answer.status if answer else 0,
        "next_at": None if entry.next_at is None else moment(entry.next_at),
        "started_at": moment(entry.sent.started_at),
        "successful_at": ended_at if succeeded else None,
        "ended_at": ended_at,
    }


def _added(entry: Attempted, with_answer: bool, moment: Moments) -> dict[str, Any]:
    """An attempt's own row."""
    sent, answer = entry.sent, entry.sent.answer
    added: dict[str, Any] = {
        "delivery_id": entry.owed.delivery_id,
        "number": entry.owed.attempts + 1,
        "started_at": moment(sent.started_at),
        "duration_ms": sent.duration_ms,
        "outcome": sent.verdict.outcome.value,
        "detail": sent.verdict.detail,
        "request_headers": sent.request_headers,
        "response_status": answer.status if answer else 0,
    }
    if answer and with_answer:
        added["response_headers"] = answer.headers
        # PostgreSQL's text holds no NUL.
        added["response_body"] = answer.body.decode("utf-8", "replace").replace("\x00", "\ufffd")
    return added


def _sqlite_moment(moment: datetime) -> str:
    """As the column type writes it: UTC, no zone, microseconds."""
    return moment.astimezone(UTC).isoformat(" ", "microseconds")[: len("2026-11-20 12:00:00.000000")]


def _from_sqlite_json(fields: str) -> str:
    extracted = (f"json_extract(value, '$.{field}') AS {field}" for field in fields.split(", "))
    return f"SELECT {', '.join(extracted)} FROM json_each(?)"


_BRING = """UPDATE delivery SET status = made.status, attempts = made.number, step = made.step,
    response_status = made.response_status, next_at = made.next_at, last_attempt_at = made.started_at,
    successful_at = coalesce(made.successful_at, delivery.successful_at), updated_at = made.ended_at
    FROM made WHERE delivery.id = made.delivery_id"""
_MADE = "delivery_id, status, number, step, response_status, next_at, started_at, successful_at, ended_at"
_BRING_IN_SQLITE = f"WITH made AS MATERIALIZED ({_from_sqlite_json(_MADE)}) {_BRING}"

_ATTEMPT = (
    "delivery_id, number, started_at, duration_ms, outcome, detail, request_headers, response_status, "
    "response_headers, response_body"
)
_ADD_IN_SQLITE = f"INSERT OR IGNORE INTO attempt ({_ATTEMPT}) {_from_sqlite_json(_ATTEMPT)}"

_BOTH_IN_POSTGRESQL = f"""WITH made AS MATERIALIZED (SELECT * FROM jsonb_to_recordset(%s::jsonb) AS made (
        delivery_id text, status text, number int, step int, response_status int, next_at timestamptz,
        started_at timestamptz, successful_at timestamptz, ended_at timestamptz)),
    brought AS ({_BRING})
    INSERT INTO attempt ({_ATTEMPT}) SELECT {_ATTEMPT} FROM jsonb_to_recordset(%s::jsonb) AS added (
        delivery_id text, number int, started_at timestamptz, duration_ms int, outcome text, detail text,
        request_headers jsonb, response_status int, response_headers jsonb, response_body text)
    ON CONFLICT DO NOTHING"""
