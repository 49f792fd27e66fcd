"""What waits for a person of an organisation."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.approvals import APPROVED_THINGS
from app.contract.negotiation import FINAL_STATUSES
from app.contract.overview import (
    DEADLINE_DAYS,
    EXPIRY_DAYS,
    MAX_WAITING_ITEMS,
    WaitingGroup,
    WaitingItem,
    WaitingKind,
)
from app.contract.page import PageRequest
from app.contract.scope import add_stated_prices
from app.contract.scope_list import WAITING_STATUSES, ScopeStatus
from app.service.agreements.action import describe_action
from app.service.agreements.listing import list_renewals
from app.service.agreements.working_calendar import load_working_days
from app.service.database.tables import (
    approval,
    company,
    delivery,
    entry,
    escalation,
    letter,
    negotiation,
    scope,
    scope_document,
    timer,
    webhook,
)
from app.service.database.visibility import counted, owned_by
from app.service.overview.figures import load_amounts_at_stake
from app.service.scopes.terms import StoredScopeTerm

MAX_COUNTED = 1_000
"""Failed deliveries of a webhook are counted so far."""
FAILED: sa.ColumnClause[str] = sa.literal_column("'failed'")
"""No parameter: SQLite takes the index of failed deliveries only where it sees the word."""

SUPPLIER_NAME = sa.func.coalesce(
    company.c.name,
    negotiation.c.supplier["name"].as_string(),
    negotiation.c.supplier["domain"].as_string(),
    "Unknown supplier",
)
"""The supplier of a negotiation, which is joined with its company (`NEGOTIATIONS`)."""
NEGOTIATIONS = negotiation.outerjoin(company, company.c.id == negotiation.c.company_id)

Found = tuple[int, list[WaitingItem]]
"""How many there are, and the most urgent of them."""


def select_named(
    negotiations: sa.Join, organisation_id: str, *columns: sa.ColumnElement[Any]
) -> sa.Select[*tuple[Any, ...]]:
    """Select the supplier's `name` and columns of the organisation's `NEGOTIATIONS`, joined with others."""
    named = sa.select(SUPPLIER_NAME.label("name"), *columns).select_from(negotiations)
    return named.where(counted(negotiation.c, organisation_id))


def load_waiting(connection: Connection, organisation_id: str, now: datetime) -> list[WaitingGroup]:
    """Return what waits, by kind; kinds of which nothing waits are left out."""
    found = {kind: load(connection, organisation_id, now) for kind, load in SOURCES.items()}
    negotiations = {one.negotiation_id for _, items in found.values() for one in items if one.negotiation_id}
    stakes = load_amounts_at_stake(connection, organisation_id, negotiations)
    return [
        WaitingGroup(kind=kind, total=total, items=[_add_stake(one, stakes) for one in items])
        for kind, (total, items) in found.items()
        if total
    ]


def _add_stake(item: WaitingItem, stakes: Mapping[str, tuple[str | None, Decimal | None]]) -> WaitingItem:
    currency, amount = stakes.get(item.negotiation_id or "", (None, None))
    if currency is None or amount is None:
        return item
    return item.model_copy(update={"currency": currency, "amount": amount})


def load_deadlines(connection: Connection, organisation_id: str, now: datetime) -> Found:
    """Return how many agreements must be acted on within `DEADLINE_DAYS`, and the most urgent of them, each
    with what to do and what happens otherwise."""
    today, days = now.date(), load_working_days(connection, organisation_id)
    page = PageRequest(MAX_WAITING_ITEMS)
    found = list_renewals(connection, organisation_id, DEADLINE_DAYS, today, days, page)
    return found.total, [
        WaitingItem(
            name=one.agreement.agreed.name,
            detail=describe_action(one.agreement, one.position, today),
            count=1,
            due_at=None if one.position.act_by is None else _end_of(one.position.act_by),
            agreement_id=one.agreement.id,
        )
        for one in found.agreements
    ]


def _load_decisions(connection: Connection, organisation_id: str, now: datetime) -> Found:
    """Open decisions, the one that is due first on top."""
    rows = connection.execute(
        select_named(
            NEGOTIATIONS.join(escalation, escalation.c.negotiation_id == negotiation.c.id),
            organisation_id,
            *(escalation.c.title, escalation.c.due_at, escalation.c.negotiation_id),
            sa.func.count().over().label("total"),
        )
        .where(escalation.c.status == "open")
        .order_by(escalation.c.due_at.is_(None), escalation.c.due_at, escalation.c.id)
        .limit(MAX_WAITING_ITEMS)
    ).all()
    items = [
        WaitingItem(
            name=row.name, detail=row.title, count=1, due_at=row.due_at, negotiation_id=row.negotiation_id
        )
        for row in rows
    ]
    return _total(rows), items


def _load_drafts(connection: Connection, organisation_id: str, now: datetime) -> Found:
    """Letters that a person has to send, by negotiation, the one that waits longest on top."""
    counts = sa.func.count()
    rows = connection.execute(
        select_named(
            NEGOTIATIONS.join(letter, letter.c.object_id == negotiation.c.id),
            organisation_id,
            negotiation.c.id,
            counts.label("letters"),
            sa.func.sum(counts).over().label("total"),
        )
        .where(letter.c.status == "draft")
        .group_by(SUPPLIER_NAME, negotiation.c.id)
        .order_by(sa.func.min(letter.c.created_at), negotiation.c.id)
        .limit(MAX_WAITING_ITEMS)
    ).all()
    items = [WaitingItem(name=row.name, count=row.letters, negotiation_id=row.id) for row in rows]
    return _total(rows), items


def _load_scopes(status: ScopeStatus) -> Callable[[Connection, str, datetime], Found]:
    """Return what loads the scopes of a status that are not archived, the newest on top."""

    def load(connection: Connection, organisation_id: str, now: datetime) -> Found:
        rows = connection.execute(
            sa.select(
                scope.c.id,
                scope.c.title,
                scope.c.currency,
                scope.c.scope_terms,
                scope_document.c.error,
                sa.func.count().over().label("total"),
            )
            .outerjoin(scope_document, scope_document.c.scope_id == scope.c.id)
            .where(
                counted(scope.c, organisation_id),
                scope.c.status == status,
                scope.c.archived_at.is_(None),
            )
            .order_by(scope.c.created_on.desc(), scope.c.id.desc())
            .limit(MAX_WAITING_ITEMS)
        ).all()
        return _total(rows), [_make_scope_item(row) for row in rows]

    return load


def _make_scope_item(row: Any) -> WaitingItem:
    terms = [StoredScopeTerm.from_record(term) for term in row.scope_terms]
    asked, is_assumed = add_stated_prices(terms), any(term.currency_assumed for term in terms)
    return WaitingItem(
        name=row.title,
        detail=row.error,
        count=1,
        scope_id=row.id,
        amount=asked,
        currency=None if asked is None or is_assumed else row.currency,
    )


def _load_expiring(connection: Connection, organisation_id: str, now: datetime) -> Found:
    """Offers that end soon, the first to end on top; not where a decision that is due waits anyway."""
    decision = sa.exists().where(
        escalation.c.negotiation_id == negotiation.c.id,
        escalation.c.status == "open",
        escalation.c.due_at.is_not(None),
    )
    last_day = entry.c.content["offer"]["validUntil"].as_string()
    rows = connection.execute(
        select_named(
            NEGOTIATIONS.join(timer, timer.c.negotiation_id == negotiation.c.id).join(
                entry, entry.c.id == timer.c.content["offer"].as_string()
            ),
            organisation_id,
            *(negotiation.c.id, last_day.label("last_day")),
        )
        .where(
            negotiation.c.status.not_in(FINAL_STATUSES),
            timer.c.kind == "quote_expiring",
            timer.c.due_at <= now + timedelta(days=EXPIRY_DAYS),
            ~decision,
        )
        .order_by(timer.c.due_at, timer.c.id)
    ).all()
    items = [
        WaitingItem(
            name=row.name, count=1, due_at=_end_of(date.fromisoformat(row.last_day)), negotiation_id=row.id
        )
        for row in rows
        if row.last_day is not None
    ]
    soon = [item for item in items if item.due_at and item.due_at <= now + timedelta(days=EXPIRY_DAYS)]
    return len(soon), soon[:MAX_WAITING_ITEMS]


def _load_webhooks(connection: Connection, organisation_id: str, now: datetime) -> Found:
    """Webhooks that were turned off, that fail now, or whose deliveries failed for good."""
    failed = (
        sa.select(delivery.c.id)
        .where(delivery.c.webhook_id == webhook.c.id, delivery.c.status == FAILED)
        .limit(MAX_COUNTED)
        .correlate(webhook)
        .subquery()
    )
    count = sa.select(sa.func.count()).select_from(failed).scalar_subquery()
    rows = connection.execute(
        sa.select(
            webhook.c.id,
            webhook.c.url,
            webhook.c.disabled_reason,
            webhook.c.failing_since,
            count.label("failed"),
        )
        .where(
            counted(webhook.c, organisation_id),
            webhook.c.deleted_at.is_(None),
        )
        .order_by(webhook.c.id)
    ).all()
    items = [
        WaitingItem(name=row.url, detail=row.disabled_reason, count=row.failed, webhook_id=row.id)
        for row in rows
        if row.failed or row.failing_since or row.disabled_reason
    ]
    return len(items), items[:MAX_WAITING_ITEMS]


def _load_approvals(connection: Connection, organisation_id: str, now: datetime) -> Found:
    """Calls that wait for a second person, the first to expire on top."""
    rows = connection.execute(
        sa.select(
            approval.c.id,
            approval.c.kind,
            approval.c.decision,
            approval.c.expires_at,
            sa.func.count().over().label("total"),
        )
        .where(
            owned_by(approval.c, organisation_id),
            approval.c.status == "waiting",
            approval.c.expires_at > now,
        )
        .order_by(approval.c.expires_at, approval.c.id)
        .limit(MAX_WAITING_ITEMS)
    ).all()
    items = [
        WaitingItem(
            name=row.decision["name"],
            detail=APPROVED_THINGS[row.kind],
            count=1,
            due_at=row.expires_at,
            approval_id=row.id,
        )
        for row in rows
    ]
    return _total(rows), items


def _total(rows: Sequence[Any]) -> int:
    return int(rows[0].total) if rows else 0


def _end_of(day: date) -> datetime:
    return datetime.combine(day + timedelta(days=1), time(), UTC)


SOURCES: Mapping[WaitingKind, Callable[[Connection, str, datetime], Found]] = {
    "approval": _load_approvals,
    "decision": _load_decisions,
    "deadline": load_deadlines,
    "expiring": _load_expiring,
    **{status: _load_scopes(status) for status in WAITING_STATUSES},
    "draft": _load_drafts,
    "webhook": _load_webhooks,
}
"""What loads each kind, in the order in which they are shown: how many there are, and the most urgent."""
