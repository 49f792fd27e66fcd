"""Writes the results of many attempts at once: their deliveries are updated, the attempts added."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pydantic_core import to_json
from sqlalchemy import Connection

from app.service.database.attempt_rows import write_attempts
from app.service.database.dialect import format_instant
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


def record(connection: Connection, attempted: Sequence[Attempted], *, with_answers: bool = True) -> None:
    """Records the attempts in the caller's transaction. Two pumps may overlap for a moment after a takeover;
    the attempt that was recorded first stands."""
    format_moment = format_instant(connection)
    deliveries = to_json([_brought(entry, format_moment) for entry in attempted]).decode()
    attempts = to_json([_added(entry, with_answers, format_moment) for entry in attempted]).decode()
    write_attempts(connection, deliveries, attempts)


def _brought(entry: Attempted, format_moment: Callable[[datetime], str]) -> dict[str, Any]:
    """What an attempt makes of its delivery."""
    succeeded, answer = entry.sent.verdict.succeeded, entry.sent.answer
    ended_at = format_moment(entry.ended_at)
    return {
        "delivery_id": entry.owed.delivery_id,
        "status": "succeeded" if succeeded else "failed" if entry.next_at is None else "pending",
        "number": entry.owed.attempts + 1,
        "step": entry.owed.tried + 1,
        "response_status": answer.status if answer else 0,
        "next_at": None if entry.next_at is None else format_moment(entry.next_at),
        "started_at": format_moment(entry.sent.started_at),
        "successful_at": ended_at if succeeded else None,
        "ended_at": ended_at,
    }


def _added(entry: Attempted, with_answer: bool, format_moment: Callable[[datetime], str]) -> dict[str, Any]:
    """An attempt's own row."""
    sent, answer = entry.sent, entry.sent.answer
    added: dict[str, Any] = {
        "delivery_id": entry.owed.delivery_id,
        "number": entry.owed.attempts + 1,
        "started_at": format_moment(sent.started_at),
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
