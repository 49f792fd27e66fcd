"""What sample data an organisation sees."""

import sqlalchemy as sa
from sqlalchemy import Connection, Table

from app.contract.sample import SampleData
from app.service.database.paging import count_rows
from app.service.database.tables import (
    agreement,
    company,
    negotiation,
    product,
    purchase,
    purchase_with_product,
    requirement,
    scope,
    webhook,
)
from app.service.database.visibility import has_real_data, owned_by


def load_sample_data(connection: Connection, organisation_id: str) -> SampleData:
    """Count the sample suppliers with their purchases, and find the organisation's own sample records."""
    invented = sa.select(company.c.id).where(company.c.sample.is_(sa.true()))
    of_invented = product.c.company_id.in_(invented)
    sold = sa.select(purchase.c.id).select_from(purchase_with_product).where(of_invented)
    suppliers, purchases = (count_rows(connection, some.subquery()) for some in (invented, sold))
    return SampleData(
        counted=not connection.scalar(sa.select(has_real_data(organisation_id))),
        suppliers=suppliers,
        purchases=purchases,
        scope_ids=find_marked(connection, scope, organisation_id),
        negotiation_ids=find_marked(connection, negotiation, organisation_id),
        webhook_ids=find_marked(connection, webhook, organisation_id),
        requirement_ids=find_marked(connection, requirement, organisation_id),
        agreement_ids=find_marked(connection, agreement, organisation_id),
    )


def find_marked(connection: Connection, table: Table, organisation_id: str) -> list[str]:
    """Return the ids of the organisation's sample records, the oldest first."""
    conditions = [owned_by(table.c, organisation_id), table.c.sample.is_(sa.true())]
    if table is webhook:
        conditions.append(webhook.c.deleted_at.is_(None))
    return list(connection.scalars(sa.select(table.c.id).where(*conditions).order_by(table.c.id)))
