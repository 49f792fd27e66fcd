"""People, their identities and roles, sessions of people and keys, and tickets that were used."""

import sqlalchemy as sa
from alembic import op

from app.service.database.columns import Instant, Key

revision = "20261216"
down_revision = "20261215"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "user_account",
        sa.Column("id", Key, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("email", sa.Text()),
        sa.Column("created_at", Instant(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_user_account")),
    )
    op.create_table(
        "identity",
        sa.Column("issuer", sa.String(length=500), nullable=False),
        sa.Column("subject", sa.String(length=255), nullable=False),
        sa.Column("user_id", Key, nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["user_account.id"], name=op.f("fk_identity_user_id")),
        sa.PrimaryKeyConstraint("issuer", "subject", name=op.f("pk_identity")),
    )
    op.create_index(op.f("ix_identity_user_id"), "identity", ["user_id"])
    op.create_table(
        "membership",
        sa.Column("user_id", Key, nullable=False),
        sa.Column("organisation_id", Key, nullable=False),
        sa.Column("role", sa.String(length=6), nullable=False),
        sa.Column("created_at", Instant(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["user_account.id"], name=op.f("fk_membership_user_id")),
        sa.ForeignKeyConstraint(
            ["organisation_id"], ["organisation.id"], name=op.f("fk_membership_organisation_id")
        ),
        sa.PrimaryKeyConstraint("user_id", "organisation_id", name=op.f("pk_membership")),
    )
    op.create_index(op.f("ix_membership_organisation_id"), "membership", ["organisation_id"])
    op.create_table(
        "user_session",
        sa.Column("id", Key, nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("organisation_id", Key, nullable=False),
        sa.Column("user_id", Key),
        sa.Column("api_key_id", Key),
        sa.Column("provider_session", sa.String(length=255)),
        sa.Column("id_token", sa.LargeBinary()),
        sa.Column("started_at", Instant(), nullable=False),
        sa.Column("seen_at", Instant(), nullable=False),
        sa.ForeignKeyConstraint(
            ["organisation_id"], ["organisation.id"], name=op.f("fk_user_session_organisation_id")
        ),
        sa.ForeignKeyConstraint(["user_id"], ["user_account.id"], name=op.f("fk_user_session_user_id")),
        sa.ForeignKeyConstraint(["api_key_id"], ["api_key.id"], name=op.f("fk_user_session_api_key_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_user_session")),
        sa.UniqueConstraint("digest", name=op.f("uq_user_session_digest")),
    )
    for column in ("user_id", "api_key_id", "started_at"):
        op.create_index(op.f(f"ix_user_session_{column}"), "user_session", [column])
    op.create_table(
        "used_ticket",
        sa.Column("holder", sa.String(length=36), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("used_at", Instant(), nullable=False),
        sa.PrimaryKeyConstraint("holder", "digest", name=op.f("pk_used_ticket")),
    )
    op.create_index(op.f("ix_used_ticket_used_at"), "used_ticket", ["used_at"])


def downgrade() -> None:
    for table in ("used_ticket", "user_session", "membership", "identity", "user_account"):
        op.drop_table(table)
