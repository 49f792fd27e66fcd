"""Delete agreements with everything that was stored about them."""

from collections.abc import Collection

from sqlalchemy import Connection

from app.service.database.tables import (
    agreement,
    agreement_alert,
    agreement_decision,
    comment,
    letter,
    negotiation,
    same_purchase,
)


def delete_agreements(connection: Connection, ids: Collection[str]) -> None:
    """Delete agreements, the decisions and events about them, and what other agreements and negotiations say
    of them."""
    for part in (agreement_decision, agreement_alert, same_purchase):
        connection.execute(part.delete().where(part.c.agreement_id.in_(ids)))
    for part in (comment, letter):
        connection.execute(part.delete().where(part.c.object_id.in_(ids)))
    is_before, is_after = agreement.c.next_agreement_id.in_(ids), agreement.c.previous_agreement_id.in_(ids)
    connection.execute(agreement.update().where(is_before).values(next_agreement_id=None, next_start=None))
    connection.execute(agreement.update().where(is_after).values(previous_agreement_id=None))
    connection.execute(
        negotiation.update().where(negotiation.c.agreement_id.in_(ids)).values(agreement_id=None)
    )
    connection.execute(agreement.delete().where(agreement.c.id.in_(ids)))
