"""Exchange rates of an organisation, by the import that brought them."""

from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa
from alembic import op

from app.service.database.columns import Instant, Key

revision = "20261201"
down_revision = "20261130"
branch_labels = None
depends_on = None

KEPT = ("base", "currency", "day", "rate", "imported_at")


def upgrade() -> None:
    _make_anew(
        sa.Column("organisation_id", Key, nullable=False),
        sa.Column("base", sa.String(length=3), nullable=False),
        sa.Column("currency", sa.String(length=3), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("import_id", Key, nullable=False),
        key=("organisation_id", "base", "currency", "day", "import_id"),
        values={"organisation_id": "''", "import_id": "''"},
    )
    op.create_index(
        op.f("ix_exchange_rate_organisation_id_imported_at"),
        "exchange_rate",
        ["organisation_id", "imported_at"],
        unique=False,
    )
    with op.batch_alter_table("data_import") as batch:
        batch.add_column(sa.Column("base_currency", sa.String(length=3), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("data_import") as batch:
        batch.drop_column("base_currency")
    op.drop_index(op.f("ix_exchange_rate_organisation_id_imported_at"), table_name="exchange_rate")
    _make_anew(
        sa.Column("base", sa.String(length=3), nullable=False),
        sa.Column("currency", sa.String(length=3), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        key=("base", "currency", "day"),
        where=" WHERE organisation_id = '' AND import_id = ''",
    )


def _make_anew(
    *keys: sa.Column[Any], key: tuple[str, ...], where: str = "", values: Mapping[str, str] | None = None
) -> None:
    """Make the table with another primary key, and the same rates: those `where`, with further `values`."""
    names, kept = [*KEPT, *(values or {})], ", ".join(KEPT)
    op.execute(f"CREATE TABLE exchange_rate_before AS SELECT {kept} FROM exchange_rate{where}")
    op.drop_table("exchange_rate")
    op.create_table(
        "exchange_rate",
        *keys,
        sa.Column("rate", sa.Double, nullable=False),
        sa.Column("imported_at", Instant(), nullable=False),
        sa.PrimaryKeyConstraint(*key, name=op.f("pk_exchange_rate")),
    )
    filled = ", ".join([kept, *(values or {}).values()])
    op.execute(f"INSERT INTO exchange_rate ({', '.join(names)}) SELECT {filled} FROM exchange_rate_before")
    op.drop_table("exchange_rate_before")
