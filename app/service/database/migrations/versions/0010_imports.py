"""Imports with an id, and the rows that each brought. Deleting a product no longer reads all purchases."""

import sqlalchemy as sa
from alembic import op

from app.service.database.columns import Document, Instant, Json, Key

revision = "20261128"
down_revision = "20261127"
branch_labels = None
depends_on = None

DERIVED = (("product_id", "product"), ("family_id", "product_family"))
"""Columns of a purchase that follow from its article, and what they name."""


def upgrade() -> None:
    op.create_table(
        "data_import",
        sa.Column("id", Key, nullable=False),
        sa.Column("organisation_id", Key, nullable=False),
        sa.Column("file_id", Key, nullable=False),
        sa.Column("kind", sa.String(length=9), nullable=True),
        sa.Column("status", sa.String(length=10), nullable=False),
        sa.Column("mapping", Json, nullable=False),
        sa.Column("ignored_columns", Json, nullable=False),
        sa.Column("preview", Document, nullable=True),
        sa.Column("rows_done", sa.Integer(), server_default="0", nullable=False),
        sa.Column("result", Document, nullable=True),
        sa.Column("removal", Document, nullable=True),
        sa.Column("ends_as", sa.String(length=10), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("end_user", Json, nullable=True),
        sa.Column("created_at", Instant(), nullable=False),
        sa.Column("updated_at", Instant(), nullable=False),
        sa.Column("completed_at", Instant(), nullable=True),
        sa.Column("removed_at", Instant(), nullable=True),
        sa.ForeignKeyConstraint(
            ["organisation_id"], ["organisation.id"], name=op.f("fk_data_import_organisation_id")
        ),
        sa.ForeignKeyConstraint(["file_id"], ["file.id"], name=op.f("fk_data_import_file_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_data_import")),
    )
    op.create_index(
        op.f("ix_data_import_organisation_id_created_at_id"),
        "data_import",
        ["organisation_id", "created_at", "id"],
        unique=False,
    )
    op.create_table(
        "imported_row",
        sa.Column("import_id", Key, nullable=False),
        sa.Column("table_name", sa.String(length=20), nullable=False),
        sa.Column("row_id", sa.Text(), nullable=False),
        sa.Column("added", sa.Boolean(), nullable=False),
        sa.Column("changes", Json, nullable=True),
        sa.ForeignKeyConstraint(["import_id"], ["data_import.id"], name=op.f("fk_imported_row_import_id")),
        sa.PrimaryKeyConstraint("import_id", "table_name", "row_id", name=op.f("pk_imported_row")),
        sqlite_with_rowid=False,
    )
    op.create_index(
        op.f("ix_imported_row_row_id_table_name"), "imported_row", ["row_id", "table_name"], unique=False
    )
    with op.batch_alter_table("purchase") as batch:
        for column, _ in DERIVED:
            batch.drop_constraint(f"fk_purchase_{column}", type_="foreignkey")


def downgrade() -> None:
    with op.batch_alter_table("purchase") as batch:
        for column, named in DERIVED:
            batch.create_foreign_key(f"fk_purchase_{column}", named, [column], ["id"])
    op.drop_table("imported_row")
    op.drop_table("data_import")
