"""What the service did by itself, told in one place: to webhooks, and in the audit log. The records of the
background and the history of a thing are read from what is written here and beside it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from app.contract.events import Event
from app.service.access.audit import Outcome, Subject, write_outcomes
from app.service.webhooks.outbox import OutboxEvent, emit_all


@dataclass(frozen=True, slots=True)
class ToldChange:
    """An outcome of work in the background, what it happened to, and the event that tells of it."""

    outcome: Outcome
    subject: Subject
    event: Event


def record_changes(connection: Connection, changes: Sequence[ToldChange], now: datetime) -> None:
    """Write the events and the entries of the audit log, in the transaction of the changes and in their
    order."""
    emit_all(connection, [OutboxEvent(one.subject.organisation_id, one.event) for one in changes], now=now)
    write_outcomes(connection, [(one.outcome, one.subject) for one in changes], now)
