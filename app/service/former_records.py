"""What records of 0.1 and 0.2 lack once they are in the tables of this version: which documents are the same
quote, how scopes are listed, and what is found by words."""

import sqlalchemy as sa

from app.service.background.tasks import finish_task
from app.service.database.engine import Database
from app.service.database.migrations.former_versions import DESCRIBE_TASK
from app.service.database.rows import batched
from app.service.database.tables import negotiation, scope, scope_document

ROWS_AT_ONCE = 1_000


def describe_former_records(database: Database) -> None:
    """Add what they lack, once after a database was brought over, whose migration leaves a task for it."""
    with database.writing() as connection:
        if not finish_task(connection, kind=DESCRIBE_TASK, subject_id=""):
            return
        # What knows of documents is loaded for few databases only.
        from app.service.negotiation.search_entries import index_negotiations
        from app.service.scopes.listing import refresh_listing
        from app.service.scopes.scope_documents import make_quote_key

        readings = sa.select(scope_document.c.scope_id, scope_document.c.reading)
        for row in connection.execute(readings.where(scope_document.c.reading.is_not(None))).all():
            document = scope_document.update().where(scope_document.c.scope_id == row.scope_id)
            connection.execute(document.values(quote_key=make_quote_key(row.reading)))
        for scope_id in connection.scalars(sa.select(scope.c.id)).all():
            refresh_listing(connection, scope_id)
        for some in batched(connection.scalars(sa.select(negotiation.c.id)).all(), ROWS_AT_ONCE):
            index_negotiations(connection, some)
