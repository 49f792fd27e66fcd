"""Tells workers that there is work, in the transaction that makes it. A lost hint costs a second, no more."""

import sqlalchemy as sa
from sqlalchemy import Connection

CHANNEL = "parley_work"
"""PostgreSQL's channel. SQLite needs none: workers see that the file changed (`PRAGMA data_version`)."""


def notify_workers(connection: Connection) -> None:
    """Wakes the workers when the caller's transaction commits, and not when it does not."""
    if connection.dialect.name == "postgresql":
        connection.execute(sa.text("SELECT pg_notify(:channel, '')"), {"channel": CHANNEL})
