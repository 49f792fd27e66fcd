"""The three-letter parts of suppliers' names, kept by triggers; the words that most articles have; the day of
the last recount of purchases. Indexes that others replaced are dropped."""

import sqlalchemy as sa
from alembic import op

from app.service.database.columns import Key, Ordered

revision = "20261220"
down_revision = "20261219"
branch_labels = None
depends_on = None

LONGEST_KEY = 120
"""Characters of the longest `company.name_key`."""


COUNT_COMMON_ON_SQLITE = (
    "CREATE VIRTUAL TABLE temp.article_vocabulary USING fts5vocab(main, article_words, row)",
    "INSERT INTO common_word (word, articles) SELECT term, doc FROM temp.article_vocabulary WHERE doc > 4000",
    "DROP TABLE temp.article_vocabulary",
)
COUNT_COMMON_ON_POSTGRESQL = """
INSERT INTO common_word (word, articles) SELECT word, share * pg_class.reltuples
FROM pg_class JOIN pg_namespace ON pg_namespace.oid = pg_class.relnamespace
JOIN pg_stats ON schemaname = pg_namespace.nspname AND tablename = pg_class.relname,
unnest(most_common_elems::text::text[], most_common_elem_freqs) AS common(word, share)
WHERE pg_class.oid = 'article'::regclass AND attname = 'words'
AND word IS NOT NULL AND share * pg_class.reltuples > 4000
"""
REPLACED_INDEXES = {
    "ix_product_family_id": ("family_id",),
    "ix_product_company_id_sort_order_id_organisation_id": (
        "company_id",
        "sort_order",
        "id",
        "organisation_id",
    ),
}
"""Those of the revision before begin with the same columns."""


def upgrade() -> None:
    for name in REPLACED_INDEXES:
        op.drop_index(name, table_name="product")
    op.create_table(
        "company_gram",
        sa.Column("gram", Ordered, nullable=False),
        sa.Column("company_id", Key, nullable=False),
        sa.PrimaryKeyConstraint("gram", "company_id", name=op.f("pk_company_gram")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "purchase_recount",
        sa.Column("counted_on", sa.Date(), nullable=False),
        sa.PrimaryKeyConstraint("counted_on", name=op.f("pk_purchase_recount")),
    )
    op.create_table(
        "common_word",
        sa.Column("word", sa.Text(), nullable=False),
        sa.Column("articles", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("word", name=op.f("pk_common_word")),
    )
    connection = op.get_bind()
    on_sqlite = connection.dialect.name == "sqlite"
    for statement in COUNT_COMMON_ON_SQLITE if on_sqlite else (COUNT_COMMON_ON_POSTGRESQL,):
        connection.exec_driver_sql(statement)
    grams = _select_grams("company", on_sqlite).replace("FROM", "FROM company,", 1)
    connection.exec_driver_sql(f"INSERT INTO company_gram (gram, company_id) {grams}")
    adding = f"INSERT INTO company_gram (gram, company_id) {_select_grams('NEW', on_sqlite)}"
    removing = "DELETE FROM company_gram WHERE company_id = OLD.id AND gram IN" + (
        f" (SELECT gram FROM ({_select_grams('OLD', on_sqlite)}) AS old_gram)"
    )
    for name, event, statements in (
        ("added", "INSERT", (adding,)),
        ("renamed", "UPDATE OF name_key", (removing, adding)),
        ("removed", "DELETE", (removing,)),
    ):
        body = "; ".join(statements)
        if on_sqlite:
            connection.exec_driver_sql(
                f"CREATE TRIGGER company_gram_{name} AFTER {event} ON company BEGIN {body}; END"
            )
            continue
        connection.exec_driver_sql(
            f"CREATE FUNCTION company_gram_{name}() RETURNS trigger LANGUAGE plpgsql AS"
            f" $$ BEGIN {body}; RETURN NULL; END $$"
        )
        connection.exec_driver_sql(
            f"CREATE TRIGGER company_gram_{name} AFTER {event} ON company"
            f" FOR EACH ROW EXECUTE FUNCTION company_gram_{name}()"
        )


def _select_grams(row: str, on_sqlite: bool) -> str:
    """Select the different parts of a row's name between two spaces, with the row's id."""
    if on_sqlite:
        numbers = ", ".join(map(str, range(1, LONGEST_KEY + 1)))
        at, source = "place.value", f"json_each('[{numbers}]') AS place"
    else:
        at, source = "place.value", f"generate_series(1, {LONGEST_KEY}) AS place(value)"
    return (
        f"SELECT DISTINCT substr(' ' || {row}.name_key || ' ', {at}, 3) AS gram, {row}.id AS company_id"
        f" FROM {source} WHERE {at} <= length({row}.name_key)"
    )


def downgrade() -> None:
    connection = op.get_bind()
    for name in ("added", "renamed", "removed"):
        if connection.dialect.name == "sqlite":
            op.execute(f"DROP TRIGGER company_gram_{name}")
        else:
            op.execute(f"DROP TRIGGER company_gram_{name} ON company")
            op.execute(f"DROP FUNCTION company_gram_{name}()")
    op.drop_table("common_word")
    op.drop_table("purchase_recount")
    op.drop_table("company_gram")
    for name, columns in REPLACED_INDEXES.items():
        op.create_index(name, "product", columns)
