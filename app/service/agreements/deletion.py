"""Delete an agreement, with everything that follows from it."""

from datetime import datetime

import sqlalchemy as sa
from sqlalchemy import Connection

from app.service.agreements.stored_agreement import StoredAgreement
from app.service.agreements.stored_positions import store_positions
from app.service.database.agreement_rows import delete_agreements
from app.service.database.imported_rows import forget_rows
from app.service.database.tables.agreements import agreement
from app.service.database.visibility import owned_by
from app.service.purchases.agreement_lines import request_learning


def delete_agreement(connection: Connection, one: StoredAgreement, now: datetime) -> None:
    """Delete an agreement with its decisions, events and prices of today. The one before it is followed by
    nothing from then on, so that its dates change; the background takes back the purchases that were made of
    its lines."""
    of_organisation = owned_by(agreement.c, one.organisation_id)
    before = list(
        connection.scalars(
            sa.select(agreement.c.id).where(of_organisation, agreement.c.next_agreement_id == one.id)
        )
    )
    delete_agreements(connection, [one.id])
    forget_rows(connection, agreement.name, [one.id])
    if before:
        store_positions(connection, one.organisation_id, now.date(), agreement.c.id.in_(before))
    request_learning(connection, one.organisation_id, now)
