"""Triggers that keep the number of rows of a list in `entry_count`."""

from alembic import op

from app.service.database.dialect import Dialect

LISTS = {"company": "''", "product": "company_id"}
"""The list that a row of each table is in, as `entry_count.list_id`."""


def count_entries() -> None:
    """Count the rows that are there, and let triggers count those that come and go. On PostgreSQL nobody
    writes these tables meanwhile."""
    for table, list_id in LISTS.items():
        if op.get_context().dialect.name == Dialect.SQLITE:
            _count_each_row(table, list_id)
        else:
            _count_each_statement(table, list_id)
        op.execute(_counted("count(*)", list_id, table))


def stop_counting() -> None:
    """Take back `count_entries`."""
    for table in LISTS:
        for event in ("insert", "delete", "update"):
            name = f"count_{table}_{event}"
            if op.get_context().dialect.name == Dialect.SQLITE:
                op.execute(f"DROP TRIGGER {name}")
            else:
                op.execute(f"DROP TRIGGER {name} ON {table}")
                op.execute(f"DROP FUNCTION {name}()")


def _counted(number: str, list_id: str, rows: str) -> str:
    return (
        "INSERT INTO entry_count (list_id, organisation_id, number)"
        f" SELECT {list_id}, organisation_id, {number} FROM {rows} GROUP BY 1, 2"
    )


def _count_each_statement(table: str, list_id: str) -> None:
    """On PostgreSQL: a new row for each statement, so that no two writers wait for each other."""
    op.execute(f"LOCK TABLE {table} IN SHARE ROW EXCLUSIVE MODE")
    for event, number in (("insert", "count(*)"), ("delete", "-count(*)")):
        name, old_or_new = f"count_{table}_{event}", "NEW" if event == "insert" else "OLD"
        op.execute(
            f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS"
            f" $$ BEGIN {_counted(number, list_id, 'written')}; RETURN NULL; END $$"
        )
        op.execute(
            f"CREATE TRIGGER {name} AFTER {event} ON {table} REFERENCING {old_or_new} TABLE AS written"
            f" FOR EACH STATEMENT EXECUTE FUNCTION {name}()"
        )
    name = f"count_{table}_update"
    values = [
        f"({f'{row}.company_id' if table == 'product' else list_id}, {row}.organisation_id, {number})"
        for row, number in (("OLD", -1), ("NEW", 1))
    ]
    op.execute(
        f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO entry_count"
        f" (list_id, organisation_id, number) VALUES {', '.join(values)}; RETURN NULL; END $$"
    )
    op.execute(
        f"CREATE TRIGGER {name} AFTER UPDATE OF {_counted_columns(table)} ON {table}"
        f" FOR EACH ROW EXECUTE FUNCTION {name}()"
    )


def _count_each_row(table: str, list_id: str) -> None:
    """On SQLite, where one writes at a time: each list of an owner has one row."""
    for event, changes in (
        ("INSERT", [("NEW", 1)]),
        ("DELETE", [("OLD", -1)]),
        (f"UPDATE OF {_counted_columns(table)}", [("OLD", -1), ("NEW", 1)]),
    ):
        statements: list[str] = []
        for row, number in changes:
            of_list = f"{row}.company_id" if table == "product" else list_id
            same = f"list_id = {of_list} AND organisation_id IS {row}.organisation_id"
            statements += [
                "INSERT INTO entry_count (list_id, organisation_id, number)"
                f" SELECT {of_list}, {row}.organisation_id, 0"
                f" WHERE NOT EXISTS (SELECT 1 FROM entry_count WHERE {same})",
                f"UPDATE entry_count SET number = number + {number} WHERE {same}",
            ]
        body = "; ".join(statements)
        op.execute(
            f"CREATE TRIGGER count_{table}_{event[:6].lower()} AFTER {event} ON {table} BEGIN {body}; END"
        )


def _counted_columns(table: str) -> str:
    return "company_id, organisation_id" if table == "product" else "organisation_id"
