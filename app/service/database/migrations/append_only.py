"""Tables to which rows are only added."""

from alembic import op

from app.service.database.dialect import Dialect


def forbid_changes(table: str, refusal: str) -> None:
    """Let the database refuse to change or delete rows of a new table, with that sentence."""
    if op.get_context().dialect.name == Dialect.SQLITE:
        for action in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER {table}_{action.lower()} BEFORE {action} ON {table}"
                f" BEGIN SELECT RAISE(ABORT, '{refusal}'); END"
            )
        return
    op.execute(
        f"CREATE FUNCTION keep_{table}() RETURNS trigger LANGUAGE plpgsql AS"
        f" $$ BEGIN RAISE EXCEPTION '{refusal}'; END $$"
    )
    op.execute(
        f"CREATE TRIGGER {table}_is_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON {table}"
        f" FOR EACH STATEMENT EXECUTE FUNCTION keep_{table}()"
    )


def allow_changes(table: str) -> None:
    """Take back `forbid_changes` once the table is gone."""
    if op.get_context().dialect.name != Dialect.SQLITE:
        op.execute(f"DROP FUNCTION keep_{table}()")
