"""Alembic runs this for each migration, with the connection that `schema.migrate` hands over."""

from alembic import context

from app.service.database.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
