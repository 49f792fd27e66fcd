"""What happened to an organisation's scopes and negotiations."""

from datetime import datetime

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.overview import ChangeKind, OverviewChange
from app.service.database.tables.negotiation import entry, escalation, negotiation
from app.service.database.tables.scopes import scope, scope_document
from app.service.database.visibility import counted
from app.service.overview.waiting import NEGOTIATIONS, SUPPLIER_NAME

ENTRY_KINDS: dict[str, ChangeKind] = {
    "quote": "offer",
    "agreement": "agreement",
    "cancellation": "cancellation",
}
"""The entries of a timeline that are changes."""


def load_changes(
    connection: Connection, organisation_id: str, since: datetime, most: int
) -> list[OverviewChange]:
    """Return the newest changes since then, the newest first."""
    changes = [
        *_load_documents(connection, organisation_id, since, most),
        *_load_entries(connection, organisation_id, since, most),
        *_load_escalations(connection, organisation_id, since, most),
    ]
    changes.sort(key=lambda change: change.happened_at or since, reverse=True)
    return changes[:most]


def _load_documents(
    connection: Connection, organisation_id: str, since: datetime, most: int
) -> list[OverviewChange]:
    document = scope_document.c
    rows = connection.execute(
        sa.select(scope.c.id, document.filename, document.status, document.error, document.updated_at)
        .join(scope_document, document.scope_id == scope.c.id)
        .where(
            scope.c.organisation_id == organisation_id,
            counted(scope.c, organisation_id),
            document.status.in_(("completed", "failed")),
            document.updated_at > since,
        )
        .order_by(document.updated_at.desc())
        .limit(most)
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


def _load_entries(
    connection: Connection, organisation_id: str, since: datetime, most: int
) -> list[OverviewChange]:
    rows = connection.execute(
        sa.select(SUPPLIER_NAME.label("name"), negotiation.c.id, entry.c.kind, entry.c.happened_at)
        .select_from(NEGOTIATIONS.join(entry, entry.c.negotiation_id == negotiation.c.id))
        .where(
            negotiation.c.organisation_id == organisation_id,
            counted(negotiation.c, organisation_id),
            negotiation.c.updated_at > since,  # a negotiation without a change has no new entry
            entry.c.kind.in_(ENTRY_KINDS),
            entry.c.happened_at > since,
        )
        .order_by(entry.c.happened_at.desc())
        .limit(most)
    )
    return [
        OverviewChange(
            kind=ENTRY_KINDS[row.kind], happened_at=row.happened_at, name=row.name, negotiation_id=row.id
        )
        for row in rows
    ]


def _load_escalations(
    connection: Connection, organisation_id: str, since: datetime, most: int
) -> list[OverviewChange]:
    rows = connection.execute(
        sa.select(SUPPLIER_NAME.label("name"), negotiation.c.id, escalation.c.title, escalation.c.created_at)
        .select_from(NEGOTIATIONS.join(escalation, escalation.c.negotiation_id == negotiation.c.id))
        .where(
            negotiation.c.organisation_id == organisation_id,
            counted(negotiation.c, organisation_id),
            negotiation.c.updated_at > since,
            escalation.c.created_at > since,
            escalation.c.status == "open",
        )
        .order_by(escalation.c.created_at.desc())
        .limit(most)
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
