"""Request the prices of agreements. The pricing itself is `agreements.market.jobs`."""

from datetime import datetime, timedelta

from sqlalchemy import Connection

from app.service.background.tasks import enqueue_task

MARKET_TASK = "price_agreements"
DELAY = timedelta(seconds=5)
"""Agreements often come in numbers; they are priced once, after the last."""


def request_prices(
    connection: Connection, organisation_id: str, now: datetime, after: timedelta = DELAY
) -> None:
    """Ask for the prices of what has changed, in the transaction that changed it."""
    enqueue_task(
        connection,
        kind=MARKET_TASK,
        subject_id=organisation_id,
        organisation_id=organisation_id,
        now=now,
        after=after,
    )
