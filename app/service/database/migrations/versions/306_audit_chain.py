"""The order and the hashes of the audit log; names of people are no part of an entry any more."""

import sqlalchemy as sa
from alembic import op

from app.service.database.columns import Key
from app.service.database.dialect import Dialect
from app.service.database.migrations.first_tables import UNCHANGING

revision = "306"
down_revision = "305"
branch_labels = None
depends_on = None
oldest_code = "305"

_KEPT = ("UPDATE", "DELETE")


def upgrade() -> None:
    op.create_table(
        "audit_link",
        sa.Column("organisation_id", Key, nullable=False),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.Column("entry_id", Key, nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("organisation_id", "number", name="pk_audit_link"),
        sa.UniqueConstraint("entry_id", name="uq_audit_link_entry_id"),
    )
    _take_out_names()


def _let_go(is_sqlite: bool) -> None:
    names = [f"audit_entry_{event.lower()}" for event in _KEPT]
    for name in names if is_sqlite else ["audit_entry_is_kept ON audit_entry"]:
        op.execute(f"DROP TRIGGER {name}")


def _keep(table: str, is_sqlite: bool) -> None:
    if is_sqlite:
        for event in _KEPT:
            op.execute(
                f"CREATE TRIGGER {table}_{event.lower()} BEFORE {event} ON {table}"
                f" BEGIN SELECT RAISE(ABORT, '{UNCHANGING}'); END"
            )
        return
    op.execute(
        f"CREATE TRIGGER {table}_is_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON {table}"
        " FOR EACH STATEMENT EXECUTE FUNCTION keep_audit_entry()"
    )


def _take_out_names() -> None:
    """Older versions read entries with empty names, and add some with the names of people."""
    is_sqlite = op.get_context().dialect.name == Dialect.SQLITE
    _let_go(is_sqlite)
    op.execute("UPDATE audit_entry SET actor_name = '' WHERE actor_kind = 'person'")
    op.execute("UPDATE audit_entry SET object_name = NULL WHERE object_kind = 'member'")
    op.execute(
        "UPDATE audit_entry SET details = json_set(details, '$.askedBy.name', '')"
        " WHERE json_extract(details, '$.askedBy.kind') = 'person'"
        if is_sqlite
        else "UPDATE audit_entry SET details = jsonb_set(details, '{askedBy,name}', '\"\"')"
        " WHERE details->'askedBy'->>'kind' = 'person'"
    )
    _keep("audit_entry", is_sqlite)
    _keep("audit_link", is_sqlite)
