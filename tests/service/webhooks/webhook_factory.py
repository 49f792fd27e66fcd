"""Webhooks and events for tests that deliver them."""

import sqlalchemy as sa

from app.contract.events import ScopeExtracted
from app.service.context import Context
from app.service.database.tables import delivery, organisation, webhook
from app.service.ids import new_id
from app.service.webhooks.outbox import emit
from app.service.webhooks.store import add_webhook


def an_organisation(context: Context) -> str:
    id = new_id()
    with context.database.writing() as connection:
        connection.execute(sa.insert(organisation).values(id=id, name=id, created_at=context.clock()))
    return id


def a_webhook(context: Context, url: str, organisation_id: str | None = None) -> tuple[str, str]:
    """Its id and its secret."""
    organisation_id = organisation_id or an_organisation(context)
    with context.database.writing() as connection:
        made = add_webhook(connection, context, organisation_id, url, [ScopeExtracted.event_name])
    return made.id, made.secret or ""


def happen(context: Context, webhook_id: str, times: int = 1) -> list[str]:
    """Events that the webhook listens to, in one transaction; their ids."""
    with context.database.writing() as connection:
        owner = connection.scalar(sa.select(webhook.c.organisation_id).where(webhook.c.id == webhook_id))
        return [
            emit(
                connection,
                ScopeExtracted(scope_id=new_id(), status="completed"),
                organisation_id=owner or "",
                now=context.clock(),
            )
            for _ in range(times)
        ]


def states(context: Context, webhook_id: str) -> dict[str, int]:
    """How many deliveries are in each state."""
    with context.database.reading() as connection:
        rows = connection.execute(
            sa.select(delivery.c.status, sa.func.count())
            .where(delivery.c.webhook_id == webhook_id)
            .group_by(delivery.c.status)
        )
        return {row[0]: row[1] for row in rows}
