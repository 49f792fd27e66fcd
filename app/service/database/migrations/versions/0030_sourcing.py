"""Requirements, the quotes that answer them, and scenarios of awards."""

import sqlalchemy as sa
from alembic import op

from app.service.database.columns import Document, Instant, Key

revision = "20261218"
down_revision = "20261217"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "requirement",
        sa.Column("id", Key, nullable=False),
        sa.Column("organisation_id", Key, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("content", Document, nullable=False),
        sa.Column("created_at", Instant(), nullable=False),
        sa.Column("updated_at", Instant(), nullable=False),
        sa.ForeignKeyConstraint(
            ["organisation_id"], ["organisation.id"], name=op.f("fk_requirement_organisation_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_requirement")),
    )
    op.create_index(op.f("ix_requirement_organisation_id_id"), "requirement", ["organisation_id", "id"])
    op.create_table(
        "sourcing_quote",
        sa.Column("id", Key, nullable=False),
        sa.Column("requirement_id", Key, nullable=False),
        sa.Column("scope_id", Key),
        sa.Column("content", Document, nullable=False),
        sa.Column("created_at", Instant(), nullable=False),
        sa.ForeignKeyConstraint(
            ["requirement_id"], ["requirement.id"], name=op.f("fk_sourcing_quote_requirement_id")
        ),
        sa.ForeignKeyConstraint(["scope_id"], ["scope.id"], name=op.f("fk_sourcing_quote_scope_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sourcing_quote")),
    )
    op.create_index(op.f("ix_sourcing_quote_scope_id"), "sourcing_quote", ["scope_id"])
    op.create_index(op.f("ix_sourcing_quote_requirement_id_id"), "sourcing_quote", ["requirement_id", "id"])
    op.create_table(
        "scenario",
        sa.Column("id", Key, nullable=False),
        sa.Column("requirement_id", Key, nullable=False),
        sa.Column("content", Document, nullable=False),
        sa.Column("created_at", Instant(), nullable=False),
        sa.ForeignKeyConstraint(
            ["requirement_id"], ["requirement.id"], name=op.f("fk_scenario_requirement_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_scenario")),
    )
    op.create_index(op.f("ix_scenario_requirement_id_id"), "scenario", ["requirement_id", "id"])


def downgrade() -> None:
    for table in ("scenario", "sourcing_quote", "requirement"):
        op.drop_table(table)
