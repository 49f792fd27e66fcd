"""Alembic runs this for each migration, with the connection that `schema.migrate` hands over."""

from alembic import context
from alembic.runtime.migration import MigrationInfo
from sqlalchemy import Connection

from app.service.database.dialect import Dialect, dialect_of
from app.service.database.schema import record_support
from app.service.database.tables import metadata

connection: Connection = context.config.attributes["connection"]


def record_step(ctx: object, step: MigrationInfo, heads: object, run_args: object) -> None:
    """In the transaction of each revision."""
    if step.is_upgrade and step.up_revision_id is not None:
        record_support(connection, step.up_revision_id)


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
