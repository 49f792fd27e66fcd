"""Asks for another look at agreements on products whose purchases have changed: their lines may be among
those purchases, and should cost something else."""

from collections.abc import Collection
from datetime import datetime, timedelta

import sqlalchemy as sa
from sqlalchemy import ColumnElement, Connection

from app.service.background.tasks import enqueue_task
from app.service.database.rows import batched
from app.service.database.tables import agreement, agreement_purchase, product
from app.service.database.visibility import owned_by

LEARN_FROM_AGREEMENTS, MARKET_TASK = "agreement_purchases", "price_agreements"
"""The kinds of the tasks, whose subject is the organisation."""
PRICE_DELAY = timedelta(seconds=5)
"""Agreements and purchases often come in numbers; agreements are priced once, after the last."""
_AT_ONCE = 500


def recheck_agreements(
    connection: Connection, organisation_id: str | None, product_ids: Collection[str], now: datetime
) -> None:
    """Ask for a look at the organisation's agreements on these products, whose purchases have changed, and
    for their prices and those of agreements with the same suppliers."""
    if organisation_id is None:
        return
    changed = priced = 0
    for some in batched(sorted(product_ids), _AT_ONCE):
        of_products = sa.select(agreement_purchase.c.agreement_id).where(
            owned_by(agreement_purchase.c, organisation_id), agreement_purchase.c.product_id.in_(some)
        )
        changed += connection.execute(
            agreement.update().where(agreement.c.id.in_(of_products)).values(learned=False)
        ).rowcount
        suppliers = sa.select(product.c.company_id).where(product.c.id.in_(some))
        priced += _count_changes(
            connection,
            owned_by(agreement.c, organisation_id),
            agreement.c.id.in_(of_products) | agreement.c.company_id.in_(suppliers),
        )
    if changed:
        request_learning(connection, organisation_id, now)
    if priced:
        request_prices(connection, organisation_id, now)


def reprice_agreements(connection: Connection, organisation_id: str, now: datetime) -> None:
    """Ask for the prices of all agreements of the organisation, whose exchange rates have changed."""
    if _count_changes(connection, owned_by(agreement.c, organisation_id)):
        request_prices(connection, organisation_id, now)


def _count_changes(connection: Connection, *conditions: ColumnElement[bool]) -> int:
    """Count a change of what the prices of agreements follow from. A number, not a time: what is priced while
    an import runs is priced again, however long that takes."""
    return connection.execute(
        agreement.update()
        .where(*conditions, agreement.c.past.is_(sa.false()))
        .values(price_changes=agreement.c.price_changes + 1)
    ).rowcount


def request_learning(connection: Connection, organisation_id: str, now: datetime) -> None:
    """Ask for the purchases of those of its agreements that have changed."""
    _request(connection, LEARN_FROM_AGREEMENTS, organisation_id, now, timedelta())


def request_prices(
    connection: Connection, organisation_id: str, now: datetime, after: timedelta = PRICE_DELAY
) -> None:
    """Ask for the prices of those of its agreements that are outdated, in the transaction that made them so.
    The pricing itself is `agreements.market.jobs`."""
    _request(connection, MARKET_TASK, organisation_id, now, after)


def _request(connection: Connection, kind: str, owner: str, now: datetime, after: timedelta) -> None:
    enqueue_task(connection, kind=kind, subject_id=owner, organisation_id=owner, now=now, after=after)
