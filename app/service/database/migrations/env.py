"""Alembic runs this for each migration, with the connection that `schema.migrate` hands over."""

from typing import Any

from alembic import context
from alembic.runtime.migration import MigrationInfo

from app.service.database.dialect import Dialect, dialect_of
from app.service.database.schema import record_support
from app.service.database.tables import metadata

connection = context.config.attributes["connection"]


def record_step(ctx: object, step: MigrationInfo, heads: object, run_args: object) -> None:
    """In the transaction of each revision."""
    if step.is_upgrade and step.up_revision is not None:
        revision: Any = step.up_revision.module
        record_support(connection, getattr(revision, "oldest_code", revision.revision))


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
