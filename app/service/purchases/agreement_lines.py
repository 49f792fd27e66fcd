"""Asks for another look at agreements whose lines may be among the purchases on record."""

from collections.abc import Collection
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy import Connection

from app.service.background.tasks import enqueue_task
from app.service.database.batches import batched
from app.service.database.tables.agreements import agreement, agreement_purchase
from app.service.database.visibility import owned_by

LEARN_FROM_AGREEMENTS = "agreement_purchases"
"""The kind of the task, whose subject is the organisation."""
_AT_ONCE = 500


def recheck_agreements(
    connection: Connection, organisation_id: str | None, product_ids: Collection[str], now: datetime
) -> None:
    """Ask for a look at the organisation's agreements on these products, whose purchases have changed."""
    if organisation_id is None:
        return
    changed = 0
    for some in batched(sorted(product_ids), _AT_ONCE):
        of_products = sa.select(agreement_purchase.c.agreement_id).where(
            owned_by(agreement_purchase.c, organisation_id), agreement_purchase.c.product_id.in_(some)
        )
        changed += connection.execute(
            agreement.update().where(agreement.c.id.in_(of_products)).values(learned=False)
        ).rowcount
    if changed:
        request_learning(connection, organisation_id, now)


def request_learning(connection: Connection, organisation_id: str, now: datetime) -> None:
    """Ask for the purchases of those of its agreements that have changed."""
    enqueue_task(
        connection,
        kind=LEARN_FROM_AGREEMENTS,
        subject_id=organisation_id,
        organisation_id=organisation_id,
        now=now,
    )
