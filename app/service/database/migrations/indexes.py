"""Indexes of tables that are large and in use."""

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from alembic import op

from app.service.database.dialect import Dialect


def build_index(
    name: str, table: str, columns: Sequence[str | sa.TextClause | sa.ColumnElement[Any]], **options: Any
) -> None:
    """Build an index. PostgreSQL builds it while others write to the table, outside any transaction, so what
    stands before it in the revision is committed by then. One that an interrupted build left is replaced."""
    context = op.get_context()
    if context.dialect.name == Dialect.SQLITE:
        op.create_index(name, table, columns, **options)
        return
    with context.autocommit_block():
        # It waits for transactions that are older, which takes no lock that others wait behind.
        op.execute("SET lock_timeout = 0")
        op.drop_index(name, if_exists=True, postgresql_concurrently=True)
        op.create_index(name, table, columns, postgresql_concurrently=True, **options)
    op.execute("RESET lock_timeout")
