"""One negotiation in one writing transaction. Every change to it goes through its session, which emits the
event of the change when it is closed."""

from collections.abc import Collection, Generator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Table, bindparam, select

from app.contract.events import (
    Event,
    NegotiationEscalationCreated,
    NegotiationEscalationUpdated,
    NegotiationSummaryUpdated,
)
from app.contract.negotiation import EscalationStatus, NegotiationStatus
from app.service.access.audit import Outcome, Subject, make_outcome_row
from app.service.background.tasks import enqueue_task
from app.service.context import Context
from app.service.database.tables import audit_entry, entry, escalation, negotiation, summary
from app.service.ids import new_id
from app.service.negotiation import store
from app.service.negotiation.offers.offer import Offer
from app.service.negotiation.rows import EntryContent, EscalationRow, NegotiationRow, to_column
from app.service.negotiation.search_entries import INDEXED_COLUMNS, index_negotiations
from app.service.negotiation.session import states
from app.service.negotiation.session.escalation_drafts import EscalationDraft
from app.service.negotiation.session.executive_summaries import SummaryDraft
from app.service.negotiation.strategy.strategy import Strategy
from app.service.scopes.listing import refresh_statuses
from app.service.scopes.store import StoredScope, find_scope
from app.service.webhooks.outbox import OutboxEvent, emit_all

SCOPE_STATUS_COLUMNS = frozenset({"status", "scope_id"})
"""The columns of a negotiation that the status of its scope follows from."""


class UnitOfWork:
    """New rows, changed columns and events of one transaction. `flush` writes them."""

    def __init__(self, connection: Connection, now: datetime) -> None:
        self._connection = connection
        self._now = now
        self._rows: dict[Table, list[dict[str, Any]]] = {}
        self._changes: dict[frozenset[str], list[dict[str, Any]]] = {}
        self._events: list[OutboxEvent] = []

    def insert(self, table: Table, **values: Any) -> None:
        """Add a row to a table."""
        self._rows.setdefault(table, []).append(values)

    def update(self, negotiation_id: str, **values: Any) -> None:
        """Set columns of a negotiation's row."""
        self._changes.setdefault(frozenset(values), []).append({"changed_id": negotiation_id, **values})

    def add_event(self, event: OutboxEvent) -> None:
        self._events.append(event)

    def flush(self) -> None:
        """Write what was collected: one statement for the rows of each table, one for all changes of the same
        columns."""
        rows, changes, events = self._rows, self._changes, self._events
        self._rows = {}
        self._changes = {}
        self._events = []
        for table, added in rows.items():
            self._connection.execute(table.insert(), added)
        for changed in changes.values():
            changed_ids = [each["changed_id"] for each in changed]
            moves_scopes = bool(changed[0].keys() & SCOPE_STATUS_COLUMNS)
            scope_ids = self._find_scope_ids(changed_ids) if moves_scopes else set[str]()
            update = negotiation.update().where(negotiation.c.id == bindparam("changed_id"))
            self._connection.execute(update, changed)
            if changed[0].keys() & INDEXED_COLUMNS:
                index_negotiations(self._connection, changed_ids)
            if moves_scopes:
                scope_ids |= self._find_scope_ids(changed_ids)
                refresh_statuses(self._connection, scope_ids)
        emit_all(self._connection, events, now=self._now)

    def _find_scope_ids(self, negotiation_ids: Collection[str]) -> set[str]:
        """Return the scopes that the negotiations are about now."""
        scopes = select(negotiation.c.scope_id).where(
            negotiation.c.id.in_(negotiation_ids), negotiation.c.scope_id.is_not(None)
        )
        return {str(scope_id) for scope_id in self._connection.scalars(scopes)}


class NegotiationSession:
    """The current state of a negotiation in this transaction. `now` is the time of everything written in it,
    never before the last change, whenever the work began; `silence` is how long the supplier may not answer
    before a person is asked."""

    def __init__(
        self,
        connection: Connection,
        row: NegotiationRow,
        now: datetime,
        silence: timedelta,
        unit_of_work: UnitOfWork,
        open_escalations: list[EscalationRow] | None = None,
    ) -> None:
        self.connection = connection
        self.now = max(now, row.updated_at)
        self.silence = silence
        self.row = row
        self._columns: set[str] = set()
        self._changed = False
        self._moved = False
        self._offers: list[Offer] | None = None
        self._unit_of_work = unit_of_work
        self._open_escalations = open_escalations
        self._escalated_offers: set[tuple[str, str]] = set()

    @property
    def id(self) -> str:
        return self.row.id

    @property
    def organisation_id(self) -> str:
        return self.row.organisation_id

    @property
    def status(self) -> NegotiationStatus:
        return self.row.status

    @property
    def currency(self) -> str | None:
        return self.row.currency

    @property
    def strategy(self) -> Strategy | None:
        return self.row.strategy

    @property
    def is_led_by_service(self) -> bool:
        return self.row.engagement_type == "svc_led"

    def find_scope(self) -> StoredScope | None:
        """Return the scope, whether or not any product of it is known."""
        if self.row.scope_id is None:
            return None
        return find_scope(self.connection, self.organisation_id, self.row.scope_id)

    def find_scope_with_products(self) -> StoredScope | None:
        """Return the scope; None while no product of it is known."""
        scope = self.find_scope()
        return scope if scope is not None and scope.product_terms else None

    @property
    def offers(self) -> list[Offer]:
        """The supplier's offers, in the order in which they happened."""
        if self._offers is None:
            self._offers = store.load_offers(self.connection, [self.id]).get(self.id, [])
        return self._offers

    @property
    def counters(self) -> list[store.CounterMade]:
        """The buyer's offers so far, in the order in which they were made."""
        return store.load_counters(self.connection, self.id)

    def update(self, **fields: Any) -> None:
        """Set fields of the negotiation's row; they are written when the session is closed."""
        self.row = replace(self.row, **fields)
        self._columns |= fields.keys()
        self._changed = True

    def enqueue_task(self, kind: str, subject_id: str | None = None) -> None:
        """Ask for work in the background on this negotiation, or on something of it."""
        enqueue_task(
            self.connection,
            kind=kind,
            subject_id=subject_id or self.id,
            organisation_id=self.organisation_id,
            now=self.now,
        )

    def record_outcome(self, outcome: Outcome, *, part: str | None = None) -> None:
        """Write what the service did to it by itself into the audit log."""
        name = self.row.supplier.get("name")
        subject = Subject(self.organisation_id, self.id, name, part)
        self._unit_of_work.insert(
            audit_entry, **make_outcome_row(self.connection, outcome, subject, self.now)
        )

    def mark_changed(self) -> None:
        """Note a change that is in no column of the negotiation, so that its event is emitted."""
        self._changed = True

    def move(self, status: NegotiationStatus) -> None:
        """Move to another status. Raises MoveRefused when there is no such move."""
        if status == self.status:
            return
        states.check_move(self.status, status)
        if self._moved:
            self._emit_summary()  # two moves in one transaction are two events
        because = states.MOVES[self.status, status]
        self.add_entry("state", {"from": self.status, "to": status, "because": because})
        self.update(status=status)
        self._moved = True

    def add_entry(
        self,
        kind: str,
        content: EntryContent,
        *,
        happened_at: datetime | None = None,
        source: str | None = None,
        external_id: str | None = None,
        digest: str | None = None,
        end_user: Mapping[str, str] | None = None,
    ) -> str:
        """Add an entry to the timeline; return its id."""
        entry_id = new_id()
        self.connection.execute(
            entry.insert().values(
                id=entry_id,
                negotiation_id=self.id,
                kind=kind,
                happened_at=happened_at or self.now,
                recorded_at=self.now,
                source=source,
                external_id=external_id,
                content_digest=digest,
                content=dict(content),
                numbers=self.strategy.numbers if self.strategy else None,
                end_user=end_user,
            )
        )
        self._changed = True
        return entry_id

    def reload_offers(self) -> None:
        """Read the offers again when next asked: one came, was corrected or withdrawn."""
        self._offers = None

    def update_entry(self, entry_id: str, content: Mapping[str, Any]) -> None:
        """Replace the content of an offer's entry of the timeline."""
        self.connection.execute(entry.update().where(entry.c.id == entry_id).values(content=dict(content)))
        self._changed = True

    def add_summary(self, executive_summary: SummaryDraft) -> None:
        self._unit_of_work.insert(
            summary,
            id=new_id(),
            negotiation_id=self.id,
            created_at=self.now,
            title=executive_summary.title,
            text=executive_summary.text,
            figures={name: str(value) for name, value in executive_summary.figures if value is not None},
        )
        self._changed = True

    def escalate(self, draft: EscalationDraft, offer: Offer | None = None) -> bool:
        """Open an escalation, unless one with the same reason is open for the same offer; whether it did.
        What was decided about an offer is not asked again, whatever the decision was."""
        offer_id = offer.entry_id if offer else None
        if self._was_escalated(draft.reason, offer_id):
            return False
        escalation_id = new_id()
        self._unit_of_work.insert(
            escalation,
            id=escalation_id,
            negotiation_id=self.id,
            reason=draft.reason,
            status="open",
            offer_entry_id=offer_id,
            title=draft.title,
            description=draft.description,
            options=[option.to_record() for option in draft.options],
            recommended=draft.recommended,
            created_at=self.now,
            updated_at=self.now,
            due_at=draft.due_at,
        )
        if offer_id is not None:
            self._escalated_offers.add((draft.reason, offer_id))
        self._open_escalations = None
        self._emit(
            NegotiationEscalationCreated(negotiation_id=self.id, escalation_id=escalation_id, status="open")
        )
        self._changed = True
        return True

    def _was_escalated(self, reason: str, offer_id: str | None) -> bool:
        if offer_id is None:
            return any(
                row.reason == reason and row.offer_entry_id is None for row in self.load_open_escalations()
            )
        return (reason, offer_id) in self._escalated_offers or store.was_escalated(
            self.connection, self.id, reason, offer_id
        )

    def load_open_escalations(self) -> list[EscalationRow]:
        """Return the open escalations, newest first."""
        if self._open_escalations is None:
            self._unit_of_work.flush()  # an escalation of this transaction is among them
            self._open_escalations = store.load_open_escalations(self.connection, [self.id]).get(self.id, [])
        return list(self._open_escalations)

    def expire_escalations(self, rows: list[EscalationRow]) -> None:
        """Close escalations that need no decision any more."""
        for row in rows:
            self._close_escalation(row, "expired", None)

    def resolve_escalation(self, row: EscalationRow, resolution: str) -> None:
        self._close_escalation(row, "resolved", resolution)

    def _close_escalation(self, row: EscalationRow, status: EscalationStatus, resolution: str | None) -> None:
        resolved_at = self.now if status == "resolved" else None
        self.connection.execute(
            escalation.update()
            .where(escalation.c.id == row.id)
            .values(status=status, updated_at=self.now, resolved_at=resolved_at, resolution=resolution)
        )
        self._open_escalations = None
        self._escalated_offers.discard((row.reason, row.offer_entry_id))
        self._emit(NegotiationEscalationUpdated(negotiation_id=self.id, escalation_id=row.id, status=status))
        self._changed = True

    def restart_silence_timer(self) -> None:
        """Ask a person when nothing comes from the supplier for `silence` from now."""
        store.set_timer(self.connection, self.id, "supplier_silent", self.now + self.silence)

    def _emit_summary(self) -> None:
        self._emit(NegotiationSummaryUpdated(negotiation_id=self.id, status=self.status, updated_at=self.now))

    def _emit(self, event: Event) -> None:
        self._unit_of_work.add_event(OutboxEvent(self.organisation_id, event))

    def close(self) -> None:
        """Hand the changes to the unit of work, with the event that announces them."""
        if not self._changed:
            return
        columns = {name: to_column(getattr(self.row, name)) for name in self._columns}
        self._unit_of_work.update(self.id, **columns, updated_at=self.now)
        self._emit_summary()


@contextmanager
def open_session(
    context: Context, connection: Connection, negotiation_id: str, now: datetime | None = None
) -> Generator[NegotiationSession | None]:
    """Lock a negotiation for this transaction, yield its session (None when there is none), and write the
    changes at the end. `now` is the time of what is written, else the clock's when the row is locked."""
    row = store.lock_negotiations(connection, [negotiation_id]).get(negotiation_id)
    if row is None:
        yield None
        return
    now = now or context.clock()
    silence = timedelta(days=context.settings.supplier_silence_days)
    unit_of_work = UnitOfWork(connection, now)
    session = NegotiationSession(connection, row, now, silence, unit_of_work)
    yield session
    session.close()
    unit_of_work.flush()


@contextmanager
def change_negotiation(
    context: Context, negotiation_id: str, now: datetime | None = None
) -> Generator[tuple[Connection, NegotiationSession | None]]:
    """Begin a transaction and open a session in it."""
    with (
        context.database.writing() as connection,
        open_session(context, connection, negotiation_id, now) as session,
    ):
        yield connection, session


@contextmanager
def open_sessions(
    context: Context, connection: Connection, negotiation_ids: Collection[str], now: datetime
) -> Generator[Mapping[str, NegotiationSession]]:
    """Lock negotiations for this transaction, yield their sessions by id, and write the changes at the end.
    What they need is loaded and written for all of them at once."""
    rows = store.lock_negotiations(connection, negotiation_ids)
    open_escalations = store.load_open_escalations(connection, negotiation_ids)
    unit_of_work = UnitOfWork(connection, now)
    silence = timedelta(days=context.settings.supplier_silence_days)
    sessions = {
        id: NegotiationSession(connection, row, now, silence, unit_of_work, open_escalations.get(id, []))
        for id, row in rows.items()
    }
    yield sessions
    for session in sessions.values():
        session.close()
    unit_of_work.flush()
