"""What sample data an organisation sees."""

import sqlalchemy as sa
from sqlalchemy import Connection, Table

from app.contract.sample import SampleData
from app.service.database.sample_rule import has_real_data
from app.service.database.tables.catalog import company
from app.service.database.tables.negotiation import negotiation
from app.service.database.tables.purchases import purchase
from app.service.database.tables.scopes import scope
from app.service.database.tables.webhooks import webhook
from app.service.database.visibility import owned_by


def load_sample_data(connection: Connection, organisation_id: str) -> SampleData:
    """Count the sample suppliers with their purchases, and the organisation's own sample records."""
    invented = sa.select(company.c.id).where(company.c.sample.is_(sa.true()))
    own_scopes = sa.select(scope.c.id).where(
        owned_by(scope.c, organisation_id), scope.c.sample.is_(sa.true())
    )
    scope_ids = list(connection.scalars(own_scopes.order_by(scope.c.id)))
    return SampleData(
        counted=not connection.scalar(sa.select(has_real_data(organisation_id))),
        suppliers=_count(connection, company, company.c.sample.is_(sa.true())),
        purchases=_count(connection, purchase, purchase.c.company_id.in_(invented)),
        scopes=len(scope_ids),
        negotiations=_count(
            connection,
            negotiation,
            sa.and_(owned_by(negotiation.c, organisation_id), negotiation.c.sample.is_(sa.true())),
        ),
        webhooks=_count(
            connection,
            webhook,
            sa.and_(
                owned_by(webhook.c, organisation_id),
                webhook.c.sample.is_(sa.true()),
                webhook.c.deleted_at.is_(None),
            ),
        ),
        scope_ids=scope_ids,
    )


def _count(connection: Connection, table: Table, condition: sa.ColumnElement[bool]) -> int:
    return connection.scalar(sa.select(sa.func.count()).select_from(table).where(condition)) or 0
