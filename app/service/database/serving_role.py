"""The role of PostgreSQL that services and workers use where another one owns the tables: it reads and writes
rows, and can neither change the tables nor an entry of the audit log."""

import sqlalchemy as sa

from app.service.database.engine import Database
from app.service.database.tables import audit_entry, audit_link

ADDED_ONLY = (audit_entry, audit_link)
"""Tables whose rows are never changed or deleted."""
MAINTAINING = 17
"""From this version on PostgreSQL has a right of its own for VACUUM and ANALYZE."""


class NoSuchRole(Exception):
    """The role that is to serve is not there, or is the one that migrates."""


def grant_to_serving_role(database: Database, role: str | None) -> None:
    """Give the role, where there is one, what serving takes and no more. Raises NoSuchRole."""
    if role is None or database.is_sqlite:
        return
    with database.connect_directly() as connection, connection.begin():
        current = connection.execute(sa.text("SELECT current_user")).scalar_one()
        known = connection.scalar(sa.text("SELECT 1 FROM pg_roles WHERE rolname = :role"), {"role": role})
        if known is None or role == current:
            raise NoSuchRole(
                f"PARLEY_SERVING_ROLE names {role!r}, which is "
                + ("the role that migrates" if known else "no role of this PostgreSQL")
                + ": create a role of its own for services and workers (docs/operation.md)"
            )
        quoted = connection.dialect.identifier_preparer.quote_identifier(role)
        rights = "SELECT, INSERT, UPDATE, DELETE"
        if int(connection.execute(sa.text("SHOW server_version_num")).scalar_one()) // 10_000 >= MAINTAINING:
            rights += ", MAINTAIN"
        kept = ", ".join(table.name for table in ADDED_ONLY)
        for statement in (
            f"GRANT USAGE ON SCHEMA public TO {quoted}",
            f"GRANT {rights} ON ALL TABLES IN SCHEMA public TO {quoted}",
            f"GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {quoted}",
            f"REVOKE UPDATE, DELETE ON {kept} FROM {quoted}",
            f"REVOKE INSERT, UPDATE, DELETE ON alembic_version FROM {quoted}",
        ):
            connection.exec_driver_sql(statement)
