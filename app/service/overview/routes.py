"""The routes of the overview: what waits, what changed, spend and savings."""

from datetime import datetime, timedelta
from typing import Annotated

import sqlalchemy as sa
from fastapi import APIRouter, Query
from sqlalchemy import Connection
from starlette.responses import Response

from app.contract.overview import (
    CHANGE_DAYS,
    MAX_CHANGES,
    ChangeKind,
    Overview,
    OverviewChange,
    OverviewFigures,
)
from app.contract.values import Instant
from app.service.access.capacity import WorkKind, counts_as
from app.service.access.guard import CallerDep, GuardedRoute
from app.service.database.rows import count_rows
from app.service.database.tables import entry, escalation, negotiation, scope, scope_document
from app.service.database.visibility import counted
from app.service.http.dependencies import ContextDep
from app.service.http.operations import extension
from app.service.http.responses import NO_STORE, json_response
from app.service.overview.figures import load_agreed_sums, load_spent_sums, load_sums_at_stake, load_sums_due
from app.service.overview.waiting import NEGOTIATIONS, load_waiting, select_named

router = APIRouter(prefix="/v1/overview", tags=["Overview"], route_class=GuardedRoute)

YEAR = timedelta(days=365)

Since = Annotated[
    Instant | None,
    Query(description=f"The moment that changes are counted from; {CHANGE_DAYS} days ago by default."),
]


@router.get("", **extension("overview.read", "Read what waits for a person and what changed", Overview))
@counts_as(WorkKind.READ)
def read_overview(context: ContextDep, caller: CallerDep, since: Since = None) -> Response:
    """Returns the decisions, approvals, deadlines, letters, reviews, expiring offers and failing webhooks
    that wait for a person of the organisation, and the latest changes to its scopes and negotiations."""
    now = context.clock()
    owner = caller.organisation_id
    begin: datetime = since or now - timedelta(days=CHANGE_DAYS)
    with context.database.reading() as connection:
        changes = _load_changes(connection, owner, begin)
        scopes, negotiations = (
            count_rows(connection, table, counted(table.c, owner)) for table in (scope, negotiation)
        )
        overview = Overview(
            waiting=load_waiting(connection, owner, now),
            changes=changes[:MAX_CHANGES],
            more_changes=len(changes) > MAX_CHANGES,
            scopes=scopes,
            negotiations=negotiations,
        )
    return json_response(overview, headers=NO_STORE)


@router.get(
    "/figures",
    **extension(
        "overviewFigures.read", "Read spend and savings of the past year, and what is open", OverviewFigures
    ),
)
@counts_as(WorkKind.READ)
def read_figures(context: ContextDep, caller: CallerDep) -> Response:
    """Returns what was agreed and saved in 365 days, what the organisation's own purchases on record cost,
    what is at stake in negotiations, and what the agreements to act on soon cost, by currency. Sums of sample
    data stand apart."""
    now = context.clock()
    since, owner = now - YEAR, caller.organisation_id
    with context.database.reading() as connection:
        figures = OverviewFigures(
            since=since,
            agreed=load_agreed_sums(connection, owner, since.date()),
            at_stake=load_sums_at_stake(connection, owner),
            due=load_sums_due(connection, owner, now.date()),
            spent=load_spent_sums(connection, owner, since.date()),
        )
    return json_response(figures, headers=NO_STORE)


_MOST = MAX_CHANGES + 1
"""Changes that are loaded: one more than are shown says that there are more."""
_ENTRY_KINDS: dict[str, ChangeKind] = {
    "quote": "offer",
    "agreement": "agreement",
    "cancellation": "cancellation",
}
"""The entries of a timeline that are changes."""


def _load_changes(connection: Connection, organisation_id: str, since: datetime) -> list[OverviewChange]:
    """Return the newest changes since then, the newest first."""
    changes = [
        *_load_documents(connection, organisation_id, since),
        *_load_entries(connection, organisation_id, since),
        *_load_escalations(connection, organisation_id, since),
    ]
    changes.sort(key=lambda change: change.happened_at or since, reverse=True)
    return changes[:_MOST]


def _load_documents(connection: Connection, organisation_id: str, since: datetime) -> list[OverviewChange]:
    document = scope_document.c
    rows = connection.execute(
        sa.select(scope.c.id, document.filename, document.status, document.error, document.updated_at)
        .join(scope_document, document.scope_id == scope.c.id)
        .where(
            counted(scope.c, organisation_id),
            document.status.in_(("completed", "failed")),
            document.updated_at > since,
        )
        .order_by(document.updated_at.desc())
        .limit(_MOST)
    )
    return [
        OverviewChange(
            kind="document_read" if row.status == "completed" else "document_failed",
            happened_at=row.updated_at,
            name=row.filename,
            detail=row.error,
            scope_id=row.id,
        )
        for row in rows
    ]


def _load_entries(connection: Connection, organisation_id: str, since: datetime) -> list[OverviewChange]:
    rows = connection.execute(
        select_named(
            NEGOTIATIONS.join(entry, entry.c.negotiation_id == negotiation.c.id),
            organisation_id,
            *(negotiation.c.id, entry.c.kind, entry.c.happened_at),
        )
        .where(
            negotiation.c.updated_at > since,  # a negotiation without a change has no new entry
            entry.c.kind.in_(_ENTRY_KINDS),
            entry.c.happened_at > since,
        )
        .order_by(entry.c.happened_at.desc())
        .limit(_MOST)
    )
    return [
        OverviewChange(
            kind=_ENTRY_KINDS[row.kind], happened_at=row.happened_at, name=row.name, negotiation_id=row.id
        )
        for row in rows
    ]


def _load_escalations(connection: Connection, organisation_id: str, since: datetime) -> list[OverviewChange]:
    rows = connection.execute(
        select_named(
            NEGOTIATIONS.join(escalation, escalation.c.negotiation_id == negotiation.c.id),
            organisation_id,
            *(negotiation.c.id, escalation.c.title, escalation.c.created_at),
        )
        .where(
            negotiation.c.updated_at > since,
            escalation.c.created_at > since,
            escalation.c.status == "open",
        )
        .order_by(escalation.c.created_at.desc())
        .limit(_MOST)
    )
    return [
        OverviewChange(
            kind="decision_needed",
            happened_at=row.created_at,
            name=row.name,
            detail=row.title,
            negotiation_id=row.id,
        )
        for row in rows
    ]
