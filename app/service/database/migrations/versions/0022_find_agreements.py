"""Agreements among the records that are found by words, and the triggers that keep their entries."""

from alembic import op

revision = "20261210"
down_revision = "20261209"
branch_labels = None
depends_on = None

LETTERS = {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"}
"""Letters that no decomposition takes apart, and what is typed for them."""


def _plain(column: str) -> str:
    for letter, typed in LETTERS.items():
        column = f"replace({column}, '{letter}', '{typed}')"
    return column


ENTRY = {
    "organisation_id": "NEW.organisation_id",
    "title": "NEW.name",
    "detail": "coalesce(NEW.supplier_name, '')",
    "name": f"substr({_plain('NEW.search_text')}, 1, 200)",  # it begins with the name
    "text": _plain("NEW.search_text"),
    "created_at": "NEW.created_at",
}
TRIGGERS = (
    (
        "agreement_added",
        "INSERT",
        f"INSERT INTO search_entry (kind, record_id, {', '.join(ENTRY)})"
        f" VALUES ('agreement', NEW.id, {', '.join(ENTRY.values())})",
    ),
    (
        "agreement_renamed",
        "UPDATE OF name, search_text, supplier_name",
        f"UPDATE search_entry SET {', '.join(f'{column} = {value}' for column, value in ENTRY.items())}"
        " WHERE kind = 'agreement' AND record_id = NEW.id",
    ),
    (
        "agreement_removed",
        "DELETE",
        "DELETE FROM search_entry WHERE kind = 'agreement' AND record_id = OLD.id",
    ),
)
"""Name, event and statement of each trigger: the same on both stores."""


def upgrade() -> None:
    connection = op.get_bind()
    values = ", ".join(value.replace("NEW.", "agreement.") for value in ENTRY.values())
    connection.exec_driver_sql(
        f"INSERT INTO search_entry (kind, record_id, {', '.join(ENTRY)})"
        f" SELECT 'agreement', agreement.id, {values} FROM agreement"
    )
    for name, event, statement in TRIGGERS:
        if connection.dialect.name == "sqlite":
            connection.exec_driver_sql(
                f"CREATE TRIGGER search_{name} AFTER {event} ON agreement BEGIN {statement}; END"
            )
            continue
        connection.exec_driver_sql(
            f"CREATE FUNCTION search_{name}() RETURNS trigger LANGUAGE plpgsql AS"
            f" $$ BEGIN {statement}; RETURN NULL; END $$"
        )
        connection.exec_driver_sql(
            f"CREATE TRIGGER search_{name} AFTER {event} ON agreement"
            f" FOR EACH ROW EXECUTE FUNCTION search_{name}()"
        )


def downgrade() -> None:
    connection = op.get_bind()
    for name, _, _ in TRIGGERS:
        if connection.dialect.name == "sqlite":
            op.execute(f"DROP TRIGGER search_{name}")
        else:
            op.execute(f"DROP TRIGGER search_{name} ON agreement")
            op.execute(f"DROP FUNCTION search_{name}()")
    op.execute("DELETE FROM search_entry WHERE kind = 'agreement'")
