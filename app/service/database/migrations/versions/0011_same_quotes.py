"""Documents that are the same quote: found by the content of their file, or by supplier and number."""

import hashlib
import json
import re
from typing import Any

import sqlalchemy as sa
from alembic import op

from app.service.text_folding import remove_accents

revision = "20261129"
down_revision = "20261128"
branch_labels = None
depends_on = None

LEGAL_FORMS = {
    *("ab", "ag", "aps", "as", "asa", "bv", "co", "company", "corp", "corporation", "cv", "gmbh", "inc"),
    *("incorporated", "kft", "kg", "kk", "limited", "llc", "llp", "lp", "ltd", "ltda", "nv", "oy", "oyj"),
    *("plc", "pte", "pty", "pvt", "sa", "sarl", "sas", "se", "sl", "spa", "srl", "sro", "ug"),
}
_DOCUMENT = sa.table(
    "scope_document",
    sa.column("scope_id", sa.Text),
    sa.column("reading", sa.JSON),
    sa.column("quote_key", sa.Text),
)


def upgrade() -> None:
    with op.batch_alter_table("scope_document") as batch:
        batch.add_column(sa.Column("quote_key", sa.Text(), nullable=True))
        batch.create_index(op.f("ix_scope_document_quote_key"), ["quote_key"], unique=False)
        batch.create_index(op.f("ix_scope_document_file_id"), ["file_id"], unique=False)
    op.create_index(op.f("ix_file_organisation_id_sha256"), "file", ["organisation_id", "sha256"])
    op.drop_index(op.f("ix_file_organisation_id"), table_name="file")
    connection = op.get_bind()
    rows = connection.execute(
        sa.text("SELECT scope_id, reading FROM scope_document WHERE reading IS NOT NULL")
    ).all()
    keys = [{"scope": row.scope_id, "key": _make_key(row.reading)} for row in rows]
    known = [one for one in keys if one["key"]]
    if known:
        update = _DOCUMENT.update().where(_DOCUMENT.c.scope_id == sa.bindparam("scope"))
        connection.execute(update.values(quote_key=sa.bindparam("key")), known)


def downgrade() -> None:
    op.create_index(op.f("ix_file_organisation_id"), "file", ["organisation_id"], unique=False)
    op.drop_index(op.f("ix_file_organisation_id_sha256"), table_name="file")
    with op.batch_alter_table("scope_document") as batch:
        batch.drop_index(op.f("ix_scope_document_file_id"))
        batch.drop_index(op.f("ix_scope_document_quote_key"))
        batch.drop_column("quote_key")


def _make_key(reading: Any) -> str | None:
    """Return the key of a reading, which SQLite gives as its text."""
    values: dict[str, Any] = json.loads(reading) if isinstance(reading, str) else reading or {}
    number, supplier = values.get("document_number"), values.get("supplier")
    return f"{_company_key(supplier)} {_item_key(number)}" if number and supplier else None


def _company_key(name: str) -> str:
    plain = remove_accents(name)
    words = re.sub(r"[^\w]+|_+", " ", re.sub(r"(?<=\w)\.(?=\w)", "", plain)).split()
    end = len(words)
    while end > 1 and words[end - 1] in LEGAL_FORMS:
        end -= 1
    return _limit_length(" ".join(words[:end]) or plain.strip())


def _item_key(item_id: str) -> str:
    plain = remove_accents(item_id)
    return _limit_length(re.sub(r"[\W_]+", "", plain) or plain.strip())


def _limit_length(key: str) -> str:
    if len(key) <= 120:
        return key
    return f"{key[:40]} {hashlib.blake2b(key.encode('utf-8', 'replace'), digest_size=16).hexdigest()}"
