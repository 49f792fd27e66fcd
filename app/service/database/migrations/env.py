"""Alembic runs this for each migration, with the connection that `schema.migrate` hands over."""

from typing import Any

from alembic import context

from app.service.database.dialect import Dialect, dialect_of
from app.service.database.schema import record_support
from app.service.database.tables import metadata

connection = context.config.attributes["connection"]


def record_step(*, step: Any, **_: Any) -> None:
    """In the transaction of each revision."""
    if step.is_upgrade:
        module = step.up_revision.module
        record_support(connection, getattr(module, "oldest_code", module.revision))


context.configure(
    connection=connection,
    target_metadata=metadata,
    render_as_batch=True,
    # PostgreSQL holds a revision's locks until its transaction ends.
    transaction_per_migration=dialect_of(connection) is Dialect.POSTGRESQL,
    on_version_apply=record_step,
)
with context.begin_transaction():
    context.run_migrations()
