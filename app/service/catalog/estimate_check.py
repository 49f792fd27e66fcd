"""Request a check of the products that can be estimated. The check itself is
`pricing.estimate_availability`."""

from datetime import datetime, timedelta

import sqlalchemy as sa
from sqlalchemy import Connection

from app.service.background.tasks import enqueue_task
from app.service.context import Context
from app.service.database.tables import product

CHECK_TASK, ALL_PRODUCTS = "check_estimates", "products"
"""The task, and its subject where everybody's products changed; else the subject is an organisation's id."""
CHECK_DELAY = timedelta(seconds=5)
"""Products and purchases often come in several steps; they are checked once, after the last."""
DAILY_CHECK_DELAY = timedelta(minutes=1)


def request_estimate_check(
    connection: Connection, owner: str | None, now: datetime, after: timedelta = CHECK_DELAY
) -> None:
    """Request the check of what the owner sees, or everybody, in the transaction that changed products or
    purchases."""
    enqueue_task(
        connection,
        kind=CHECK_TASK,
        subject_id=owner or ALL_PRODUCTS,
        organisation_id=owner,
        now=now,
        after=after,
    )


def request_daily_check(context: Context) -> None:
    """Request the check of everybody's products, if there is one that cannot be estimated so far."""
    unavailable = sa.select(product.c.id).where(product.c.estimate_available.is_(sa.false())).limit(1)
    with context.database.reading() as connection:
        if connection.scalar(unavailable) is None:
            return
    with context.database.writing() as connection:
        request_estimate_check(connection, None, context.clock(), DAILY_CHECK_DELAY)
