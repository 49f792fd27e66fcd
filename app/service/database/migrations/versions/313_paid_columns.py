"""What agreements cost and who looks after them, as columns, which spend is added up from.

Older versions look for it in the column `content`: they do not work beside this one."""

import sqlalchemy as sa
from alembic import op

from app.service.database.columns import Json
from app.service.database.dialect import Dialect

revision = "313"
down_revision = "312"
branch_labels = None
depends_on = None

TAKE_OUT = {
    Dialect.SQLITE: """
        UPDATE agreement SET
            currency = json_extract(content, '$.currency'),
            total_value = json_extract(content, '$.totalValue'),
            one_time_value = json_extract(content, '$.oneTimeValue'),
            priced_by_part = coalesce(json_extract(content, '$.lines') LIKE '%"months"%', FALSE),
            owners = json_extract(content, '$.owners'),
            cost_center = json_extract(content, '$.costCenter'),
            content = json_remove(
                content, '$.currency', '$.totalValue', '$.oneTimeValue', '$.owners', '$.costCenter'
            )
        """,
    Dialect.POSTGRESQL: """
        UPDATE agreement SET
            currency = content ->> 'currency',
            total_value = CAST(content ->> 'totalValue' AS double precision),
            one_time_value = CAST(content ->> 'oneTimeValue' AS double precision),
            priced_by_part = coalesce(content ->> 'lines' LIKE '%"months"%', FALSE),
            owners = content -> 'owners',
            cost_center = content ->> 'costCenter',
            content = content - CAST('{currency,totalValue,oneTimeValue,owners,costCenter}' AS text[])
        """,
}


def upgrade() -> None:
    op.add_column("agreement", sa.Column("currency", sa.String(3)))
    op.add_column("agreement", sa.Column("total_value", sa.Double))
    op.add_column("agreement", sa.Column("one_time_value", sa.Double))
    op.add_column(
        "agreement", sa.Column("priced_by_part", sa.Boolean, nullable=False, server_default=sa.false())
    )
    op.add_column("agreement", sa.Column("owners", Json))
    op.add_column("agreement", sa.Column("cost_center", sa.Text))
    op.execute(TAKE_OUT[Dialect(op.get_context().dialect.name)])
