"""Databases of 0.1, of 0.2 and of before 0.3.0 was released: their rows are brought into its first tables.

The former tables are set aside, the tables of 0.3.0 are made, and every row is copied into them, all in one
transaction. What a former table lacks is derived from what it has.
"""

import base64
from collections.abc import Collection, Mapping, Sequence

import sqlalchemy as sa
from sqlalchemy import Connection

from app.service.database.columns import Instant, Json
from app.service.database.dialect import ANALYSED_ENTRIES, Dialect, dialect_of
from app.service.database.migrations.first_tables import create_first_tables
from app.service.database.tables import metadata

FORMER = ("20261120b", "20261128", "314", "315")
"""The revisions of 0.1, of 0.2 and of before 0.3.0 was released."""
BECOMES = "316"
"""The revision that such a database is at afterwards."""

Columns = Mapping[str, Collection[str]]
"""The columns of each former table."""


def is_former(revision: str | None) -> bool:
    """Whether a database is of a version before 0.3.0, by its revision."""
    return revision in FORMER


def bring_over(connection: Connection) -> None:
    """Make the database one of the first tables of 0.3.0. On SQLite foreign keys are off."""
    former = _set_aside(connection)
    create_first_tables(connection)
    _copy_rows(connection, former)
    if "retired_secrets" not in former["webhook"]:
        _retire_secrets(connection)
    _request_tasks(connection)
    _drop_former(connection, former)
    connection.execute(sa.text("UPDATE alembic_version SET version_num = :it"), {"it": BECOMES})


def _request_tasks(connection: Connection) -> None:
    """Ask for what is left to do when the rows are there."""
    subjects = (
        f"SELECT '{DESCRIBE_TASK}' AS kind, '' AS subject_id, NULL AS organisation_id UNION ALL"
        " SELECT DISTINCT 'agreement_purchases', organisation_id, organisation_id FROM agreement"
    )
    connection.exec_driver_sql(
        "INSERT INTO task (kind, subject_id, organisation_id, created_at, due_at, attempts)"
        " SELECT kind, subject_id, organisation_id, CURRENT_TIMESTAMP, CURRENT_TIMESTAMP, 0"
        f" FROM ({subjects}) AS left_to_do WHERE NOT EXISTS (SELECT 1 FROM task AS there"
        " WHERE there.kind = left_to_do.kind AND there.subject_id = left_to_do.subject_id)"
    )


# --- the former tables ---


def _source(connection: Connection, table: str) -> str:
    return f"former_{table}" if dialect_of(connection) is Dialect.SQLITE else f"parley_former.{table}"


def _set_aside(connection: Connection) -> Columns:
    """Move our tables out of the way, without their triggers, and return their columns."""
    inspector = sa.inspect(connection)
    ours = {*metadata.tables, LETTERS} & {*inspector.get_table_names()}
    columns = {table: {column["name"] for column in inspector.get_columns(table)} for table in sorted(ours)}
    if dialect_of(connection) is Dialect.SQLITE:
        _rename_tables(connection, ours)
    else:
        _move_tables(connection, ours)
    return columns


def _move_tables(connection: Connection, tables: Collection[str]) -> None:
    functions = sa.text(
        "SELECT DISTINCT tgfoid::regprocedure::text FROM pg_trigger WHERE NOT tgisinternal"
        " AND tgrelid::regclass::text IN :tables"
    ).bindparams(sa.bindparam("tables", list(tables), expanding=True))
    for function in connection.scalars(functions).all():
        connection.exec_driver_sql(f"DROP FUNCTION {function} CASCADE")
    # What an engine of background work kept there, before workers took work in our own rows.
    connection.exec_driver_sql("DROP SCHEMA IF EXISTS parley_engine CASCADE")
    connection.exec_driver_sql("CREATE SCHEMA parley_former")
    for table in tables:
        connection.exec_driver_sql(f"ALTER TABLE {table} SET SCHEMA parley_former")


def _rename_tables(connection: Connection, tables: Collection[str]) -> None:
    made = sa.text(
        "SELECT name FROM sqlite_master WHERE type = :kind AND sql LIKE :begins AND name NOT LIKE 'sqlite@_%'"
        " ESCAPE '@'"
    )
    for kind, begins in (("trigger", "%"), ("table", "CREATE VIRTUAL%"), ("index", "%")):
        for name in connection.scalars(made, {"kind": kind, "begins": begins}).all():
            connection.exec_driver_sql(f"DROP {kind} {name}")
    for table in tables:
        connection.exec_driver_sql(f"ALTER TABLE {table} RENAME TO former_{table}")


def _drop_former(connection: Connection, former: Columns) -> None:
    """Drop what was set aside, and count what the planner and searches go by."""
    dialect = dialect_of(connection)
    if dialect is Dialect.SQLITE:
        for table in former:
            connection.exec_driver_sql(f"DROP TABLE former_{table}")
        connection.exec_driver_sql(f"PRAGMA analysis_limit = {ANALYSED_ENTRIES}")
    else:
        # Together, and without what others made that rests on them: then nothing is changed.
        connection.exec_driver_sql(f"DROP TABLE {', '.join(f'parley_former.{table}' for table in former)}")
        connection.exec_driver_sql("DROP SCHEMA parley_former")
    connection.exec_driver_sql("ANALYZE")
    for statement in COUNT_COMMON_WORDS[dialect]:
        connection.exec_driver_sql(statement)


COUNT_COMMON_WORDS: Mapping[Dialect, Sequence[str]] = {
    Dialect.SQLITE: (
        "CREATE VIRTUAL TABLE temp.article_vocabulary USING fts5vocab(main, article_words, row)",
        "INSERT INTO common_word (word, articles) SELECT term, doc FROM temp.article_vocabulary"
        " WHERE doc > 4000",
        "DROP TABLE temp.article_vocabulary",
    ),
    Dialect.POSTGRESQL: (
        "INSERT INTO common_word (word, articles) SELECT word, share * pg_class.reltuples FROM pg_class"
        " JOIN pg_stats ON schemaname = relnamespace::regnamespace::text AND tablename = relname,"
        " unnest(most_common_elems::text::text[], most_common_elem_freqs) AS common(word, share)"
        " WHERE pg_class.oid = 'article'::regclass AND attname = 'words'"
        " AND word IS NOT NULL AND share * pg_class.reltuples > 4000",
    ),
}
"""Which words are in many articles, from the index or from the planner's statistics."""


# --- the rows ---

MADE_ANEW = ("worker", "search_entry", "common_word", "company_gram", "entry_count")
"""Workers have ended; what is found by words and counted is made anew from the rows."""
LETTERS = "negotiation_mail"
DESCRIBE_TASK = "describe_former_records"
"""What is left to `former_records.describe_former_records`."""

_AVAILABLE = "wire_list <> replace(wire_list, '\"isCustomEstimateAvailable\":true', '')"
_OWNER_OF_TASK = """
CASE WHEN kind IN ('extract', 'fetch_document')
 THEN (SELECT organisation_id FROM {scope} AS owned WHERE owned.id = subject_id)
WHEN kind IN ('plan', 'agreed_purchase')
 THEN (SELECT organisation_id FROM {negotiation} AS owned WHERE owned.id = subject_id)
WHEN kind = 'read_attachment' THEN (SELECT organisation_id FROM {negotiation} AS owned
 JOIN {negotiation_attachment} AS attached ON attached.negotiation_id = owned.id
 WHERE attached.id = subject_id)
END
"""
DERIVED: Mapping[str, Mapping[str, str]] = {
    "article": {
        "sample": "EXISTS (SELECT 1 FROM product JOIN company ON company.id = product.company_id"
        " WHERE product.id = product_id AND company.sample)"
    },
    "product": {"estimate_available": f"coalesce({_AVAILABLE}, FALSE)"},
    "exchange_rate": {"organisation_id": "''", "import_id": "''"},
    "task": {"organisation_id": _OWNER_OF_TASK},
}
"""The values of columns that a former table may lack."""
_KEY_OF = "coalesce((SELECT row_key FROM {{purchase}} AS bought WHERE bought.id = {0}), {0})"
REPLACED: Mapping[str, Mapping[str, str]] = {
    "purchase": {"id": "row_key"},
    "agreement_purchase": {"purchase_id": _KEY_OF.format("purchase_id")},
    "same_purchase": {"purchase_id": _KEY_OF.format("purchase_id")},
    "imported_row": {
        "row_id": f"CASE WHEN table_name = 'purchase' THEN {_KEY_OF.format('row_id')} ELSE row_id END"
    },
    # Which purchases may be the same is looked for again: they have other ids.
    "agreement": {"learned": "FALSE"},
}
"""The values of columns that a former table had otherwise."""


def _copy_rows(connection: Connection, former: Columns) -> None:
    """Fill the tables, those first that others refer to."""
    tables = sa.MetaData()
    tables.reflect(connection, only=lambda name, _: name in former)
    for table in tables.sorted_tables:
        name = table.name
        if name not in former or name in MADE_ANEW:
            continue
        values = {column.name: f'"{column.name}"' for column in table.columns if column.computed is None}
        sources = {one: _source(connection, one) for one in former}
        derived = DERIVED.get(name, {})
        values = {
            column: value if column in former[name] else derived[column]
            for column, value in values.items()
            if column in former[name] or column in derived
        }
        values |= REPLACED.get(name, {})
        values = {column: value.format_map(sources) for column, value in values.items()}
        if name == "task" and "organisation_id" not in former[name]:
            values["kind"] = (
                "CASE WHEN kind = 'extract' AND subject_id IN (SELECT scope_id FROM"
                f" {sources['scope_document']} WHERE file_id IS NULL) THEN 'fetch_document' ELSE kind END"
            )
        columns = ", ".join(f'"{column}"' for column in values)
        connection.exec_driver_sql(
            f"INSERT INTO {name} ({columns}) SELECT {', '.join(values.values())} FROM {sources[name]}"
        )
    if LETTERS in former:
        connection.exec_driver_sql(
            "INSERT INTO letter (id, organisation_id, object_kind, object_id, kind, reason, subject, body,"
            " status, recipient, attempts, error, next_at, created_at, sent_at)"
            " SELECT mail.id, negotiation.organisation_id, 'negotiation', negotiation_id, 'supplier', kind,"
            " subject, body, mail.status, recipient, attempts, error, next_at, mail.created_at, sent_at"
            f" FROM {_source(connection, LETTERS)} AS mail"
            " JOIN negotiation ON negotiation.id = negotiation_id"
        )
    if dialect_of(connection) is Dialect.POSTGRESQL:
        for table in ("article", "written_bytes"):
            connection.exec_driver_sql(
                f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), max(id)) FROM {table}"
            )


def _retire_secrets(connection: Connection) -> None:
    """A webhook had one earlier secret, in columns of its own."""
    rotated = connection.execute(
        sa.text(
            f"SELECT id, previous_secret, previous_secret_until FROM {_source(connection, 'webhook')}"
            " WHERE previous_secret IS NOT NULL AND previous_secret_until IS NOT NULL"
        ).columns(previous_secret_until=Instant)
    )
    retiring = sa.text("UPDATE webhook SET retired_secrets = :secrets WHERE id = :id").bindparams(
        sa.bindparam("secrets", type_=Json)
    )
    for row in rotated.all():
        secret = base64.b64encode(row.previous_secret).decode()
        secrets = [{"secret": secret, "until": row.previous_secret_until.isoformat()}]
        connection.execute(retiring, {"id": row.id, "secrets": secrets})
