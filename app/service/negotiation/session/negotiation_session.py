"""One negotiation in one writing transaction. Every change goes through here, so that none is without its
event: what changed is told when the session is closed."""

from collections.abc import Collection, Generator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from sqlalchemy import Connection, Row

from app.contract.events import (
    Event,
    NegotiationEscalationCreated,
    NegotiationEscalationUpdated,
    NegotiationSummaryUpdated,
)
from app.contract.negotiation import EscalationStatus, NegotiationStatus
from app.service.database.tables.negotiation import entry, escalation, summary
from app.service.ids import new_id
from app.service.negotiation import store
from app.service.negotiation.amounts import amount_to_text, parse_amount
from app.service.negotiation.offers.offer import Offer
from app.service.negotiation.session import states
from app.service.negotiation.session.escalation_drafts import EscalationDraft
from app.service.negotiation.session.executive_summaries import ExecutiveSummary
from app.service.negotiation.session.unit_of_work import UnitOfWork
from app.service.negotiation.strategy.strategy import Strategy
from app.service.scopes.store import scope_of
from app.service.scopes.stored_scope import StoredScope
from app.service.webhooks.outbox import OutboxEvent


class NegotiationSession:
    """The negotiation as it stands in this transaction. `now` is the time of everything written in it."""

    def __init__(
        self,
        connection: Connection,
        row: Row[Any],
        now: datetime,
        silence: timedelta,
        unit_of_work: UnitOfWork,
        open_escalations: list[Row[Any]] | None = None,
    ) -> None:
        self.connection = connection
        self.now = now
        self.silence = silence
        self.row = row
        self.id: str = row.id
        self.organisation_id: str = row.organisation_id
        self.status: NegotiationStatus = row.status
        self.scope_id: str | None = row.scope_id
        self.currency: str | None = row.currency
        self.strategy: Strategy | None = Strategy.from_record(row.strategy) if row.strategy else None
        self._values: dict[str, Any] = {}
        self._changed = False
        self._moved = False
        self._offers: list[Offer] | None = None
        self._unit_of_work = unit_of_work
        self._open_escalations = open_escalations
        self._escalated_offers: set[tuple[str, str]] = set()

    @property
    def is_led_by_service(self) -> bool:
        return self.row.engagement_type == "svc_led"

    def find_scope(self) -> StoredScope | None:
        """The scope, whether or not any product of it is known."""
        if self.scope_id is None:
            return None
        return scope_of(self.connection, self.organisation_id, self.scope_id)

    def find_scope_with_products(self) -> StoredScope | None:
        """The scope; None while no product of it is known."""
        scope = self.find_scope()
        return scope if scope is not None and scope.product_terms else None

    @property
    def offers(self) -> list[Offer]:
        """In the order in which they happened."""
        if self._offers is None:
            self._offers = store.load_offers(self.connection, [self.id]).get(self.id, [])
        return self._offers

    @property
    def counter_amounts(self) -> list[Decimal]:
        """The buyer's offers so far, in the order in which they were made."""
        return store.load_counter_amounts(self.connection, self.id)

    @property
    def levers(self) -> list[dict[str, Any]]:
        """As the row keeps them."""
        return self._values.get("levers", self.row.levers)

    @property
    def next_offer(self) -> Decimal | None:
        kept_offer = self._values.get("next_offer", self.row.next_offer)
        return None if kept_offer is None else parse_amount(kept_offer)

    def update(self, **values: Any) -> None:
        """Columns of the negotiation's row, written when the session is closed."""
        self._values |= values
        self._changed = True
        if "scope_id" in values:
            self.scope_id = values["scope_id"]
        if "currency" in values:
            self.currency = values["currency"]
        if "strategy" in values:
            record: Mapping[str, Any] | None = values["strategy"]
            self.strategy = Strategy.from_record(record) if record else None

    def mark_changed(self) -> None:
        """The summary changed in a way that has no column."""
        self._changed = True

    def move(self, status: NegotiationStatus) -> None:
        """To another state. Raises MoveRefused when there is no such move."""
        if status == self.status:
            return
        states.check_move(self.status, status)
        if self._moved:
            self._emit_summary()  # two moves in one transaction are two events
        because = states.MOVES[self.status, status]
        self.add_entry("state", {"from": self.status, "to": status, "because": because})
        self.status = status
        self.update(status=status)
        self._moved = True

    def add_entry(
        self,
        kind: str,
        content: Mapping[str, Any],
        *,
        happened_at: datetime | None = None,
        source: str | None = None,
        external_id: str | None = None,
        digest: str | None = None,
        end_user: Mapping[str, str] | None = None,
    ) -> str:
        """Adds to the timeline; returns the entry's id."""
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
                numbers=self._current_numbers(),
                end_user=end_user,
            )
        )
        self._changed = True
        return entry_id

    def reload_offers(self) -> None:
        """An offer came, was corrected or withdrawn: they are read again."""
        self._offers = None

    def update_entry(self, entry_id: str, content: Mapping[str, Any]) -> None:
        """What an entry of the timeline holds, as it is now known."""
        self.connection.execute(entry.update().where(entry.c.id == entry_id).values(content=dict(content)))
        self._changed = True

    def _current_numbers(self) -> dict[str, str] | None:
        return self.strategy.numbers if self.strategy else None

    def add_summary(self, executive_summary: ExecutiveSummary) -> None:
        """Adds an executive summary."""
        self._unit_of_work.insert(
            summary,
            id=new_id(),
            negotiation_id=self.id,
            created_at=self.now,
            title=executive_summary.title,
            text=executive_summary.text,
            figures={
                name: amount_to_text(value) for name, value in executive_summary.figures if value is not None
            },
        )
        self._changed = True

    def escalate(self, draft: EscalationDraft, offer: Offer | None = None) -> None:
        """Opens an escalation, unless the same is open for the same offer. One about an offer that was
        decided is not asked again, whatever was decided."""
        offer_id = offer.entry_id if offer else None
        if self._was_escalated(draft.reason, offer_id):
            return
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

    def _was_escalated(self, reason: str, offer_id: str | None) -> bool:
        if offer_id is None:
            return any(
                row.reason == reason and row.offer_entry_id is None for row in self.list_open_escalations()
            )
        return (reason, offer_id) in self._escalated_offers or store.was_escalated(
            self.connection, self.id, reason, offer_id
        )

    def list_open_escalations(self) -> list[Row[Any]]:
        """Newest first."""
        if self._open_escalations is None:
            self._unit_of_work.flush()  # what was asked in this transaction is among them
            self._open_escalations = store.load_open_escalations(self.connection, [self.id]).get(self.id, [])
        return list(self._open_escalations)

    def expire_escalations(self, rows: list[Row[Any]]) -> None:
        """These escalations need no decision any more."""
        for row in rows:
            self._close_escalation(row, "expired", None)

    def resolve_escalation(self, row: Row[Any], resolution: str) -> None:
        self._close_escalation(row, "resolved", resolution)

    def _close_escalation(self, row: Row[Any], status: EscalationStatus, resolution: str | None) -> None:
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
        """Asks a person when nothing comes from the supplier."""
        store.set_timer(self.connection, self.id, "supplier_silent", self.now + self.silence)

    def _emit_summary(self) -> None:
        self._emit(NegotiationSummaryUpdated(negotiation_id=self.id, status=self.status, updated_at=self.now))

    def _emit(self, event: Event) -> None:
        self._unit_of_work.add_event(OutboxEvent(self.organisation_id, event))

    def close(self) -> None:
        """Hands over what changed, and tells of it."""
        if not self._changed:
            return
        self._unit_of_work.update(self.id, **self._values, updated_at=self.now)
        self._emit(NegotiationSummaryUpdated(negotiation_id=self.id, status=self.status, updated_at=self.now))


@contextmanager
def open_session(
    connection: Connection, negotiation_id: str, now: datetime, silence_days: float
) -> Generator[NegotiationSession | None]:
    """The session, locked for this transaction and closed at the end; None when there is none."""
    row = store.lock_negotiations(connection, [negotiation_id]).get(negotiation_id)
    if row is None:
        yield None
        return
    unit_of_work = UnitOfWork(connection, now)
    session = NegotiationSession(connection, row, now, timedelta(days=silence_days), unit_of_work)
    yield session
    session.close()
    unit_of_work.flush()


@contextmanager
def open_sessions(
    connection: Connection, negotiation_ids: Collection[str], now: datetime, silence_days: float
) -> Generator[Mapping[str, NegotiationSession]]:
    """The sessions by their ids, locked for this transaction and closed at its end. What they need is loaded
    and written for all of them at once."""
    rows = store.lock_negotiations(connection, negotiation_ids)
    open_escalations = store.load_open_escalations(connection, negotiation_ids)
    unit_of_work = UnitOfWork(connection, now)
    silence = timedelta(days=silence_days)
    sessions = {
        id: NegotiationSession(connection, row, now, silence, unit_of_work, open_escalations.get(id, []))
        for id, row in rows.items()
    }
    yield sessions
    for session in sessions.values():
        session.close()
    unit_of_work.flush()
