"""Writes the results of many attempts at once: their deliveries are updated, the attempts added."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum
from typing import Any

from pydantic_core import to_json
from sqlalchemy import Connection

from app.service.background.db_writer import RefusedChange
from app.service.database.attempt_rows import write_attempts
from app.service.database.dialect import format_instant
from app.service.webhooks.sending import Exchange, Message
from app.storable_text import decode_storable


@dataclass(frozen=True, slots=True)
class DueDelivery:
    """A delivery that is due. `tried`: attempts since its schedule began; `attempts`: all that were made;
    `schedule_round`: how often its schedule was begun anew."""

    delivery_id: str
    message: Message
    attempts: int
    tried: int
    schedule_round: int


@dataclass(frozen=True, slots=True)
class FinishedAttempt:
    """An attempt to be recorded, and when the delivery is tried again, if at all."""

    delivery: DueDelivery
    exchange: Exchange
    ended_at: datetime
    next_at: datetime | None


class AttemptDetail(IntEnum):
    """How much of an attempt is recorded: all, all but the endpoint's answer, or only what it makes of its
    delivery."""

    RESULT = 0
    WITHOUT_ANSWER = 1
    FULL = 2


def record_attempts(
    connection: Connection,
    attempted: Sequence[FinishedAttempt],
    worker_id: str,
    detail: AttemptDetail = AttemptDetail.FULL,
) -> None:
    """Records the attempts of a worker in the caller's transaction. Raises RefusedChange when one of them
    cannot be recorded any more: another worker sends to its webhook now, or its delivery is gone."""
    format_moment = format_instant(connection)
    deliveries = to_json([_delivery_row(entry, format_moment) for entry in attempted]).decode()
    attempts = None
    if detail is not AttemptDetail.RESULT:
        with_answer = detail is AttemptDetail.FULL
        attempts = to_json([_attempt_row(entry, with_answer, format_moment) for entry in attempted]).decode()
    if write_attempts(connection, worker_id, deliveries, attempts) != len(attempted):
        raise RefusedChange("another worker sends to the webhook now, or the delivery is gone")


def _delivery_row(entry: FinishedAttempt, format_moment: Callable[[datetime], str]) -> dict[str, Any]:
    succeeded, answer = entry.exchange.result.succeeded, entry.exchange.response
    ended_at = format_moment(entry.ended_at)
    return {
        "delivery_id": entry.delivery.delivery_id,
        "status": "succeeded" if succeeded else "failed" if entry.next_at is None else "pending",
        "number": entry.delivery.attempts + 1,
        "step": entry.delivery.tried + 1,
        "schedule_round": entry.delivery.schedule_round,
        "response_status": answer.status if answer else 0,
        "next_at": None if entry.next_at is None else format_moment(entry.next_at),
        "started_at": format_moment(entry.exchange.started_at),
        "successful_at": ended_at if succeeded else None,
        "ended_at": ended_at,
    }


def _attempt_row(
    entry: FinishedAttempt, with_answer: bool, format_moment: Callable[[datetime], str]
) -> dict[str, Any]:
    sent, answer = entry.exchange, entry.exchange.response
    added: dict[str, Any] = {
        "delivery_id": entry.delivery.delivery_id,
        "number": entry.delivery.attempts + 1,
        "started_at": format_moment(sent.started_at),
        "duration_ms": sent.duration_ms,
        "outcome": sent.result.outcome.value,
        "detail": sent.result.detail,
        "request_headers": sent.request_headers,
        "response_status": answer.status if answer else 0,
    }
    if answer and with_answer:
        added["response_headers"] = answer.headers
        added["response_body"] = decode_storable(answer.body)
    return added
