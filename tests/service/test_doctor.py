"""The doctor on both stores."""

import pytest
import sqlalchemy as sa

from app.service.context import Context
from app.service.doctor import Level, examine
from app.service.start_checks import require_ready

pytestmark = pytest.mark.both_stores


def test_a_new_deployment_is_sound(context: Context) -> None:
    require_ready(context)
    found = {one.name: one.level for one in examine(context, deep=True)}
    assert {name for name, level in found.items() if level is not Level.OK} <= {
        "workers",
        "disk",
        "audit log",
    }
    assert {"schema", "integrity", "secrets", "files", "queue"} <= found.keys()
    assert ("clock" in found) is not context.database.is_sqlite


def test_who_runs_an_older_version_than_the_database_is_not_told_to_migrate(context: Context) -> None:
    before = set_revisions(context, "999", "999")
    try:
        [failed] = (one for one in examine(context, deep=False) if one.level is Level.FAIL)
        assert failed.advice == "Use the version that migrated it, or a newer one."
    finally:
        set_revisions(context, *before)


def set_revisions(context: Context, revision: str, oldest_code: str) -> tuple[str, str]:
    """Say of the database that it is at a revision, and which version works with it; return what it was."""
    columns = ("alembic_version", "version_num", revision), ("schema_support", "oldest_code", oldest_code)
    before: list[str] = []
    with context.database.writing() as connection:
        for table, column, value in columns:
            known = sa.table(table, sa.column(column))
            before.append(connection.scalar(sa.select(known.c[column])) or "")
            connection.execute(known.update().values({column: value}))
    return before[0], before[1]
