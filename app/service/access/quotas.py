"""How much an organisation may store. What is over a quota is refused with 409, which no Idempotency-Key
keeps: the same call succeeds once there is room."""

import sqlalchemy as sa
from sqlalchemy import Connection

from app.service.database.tables.access import organisation
from app.service.http.problems import ApiProblem


def lock_organisation(connection: Connection, organisation_id: str) -> None:
    """Makes what is counted for the organisation hold until the transaction ends. It does not wait for those
    who only refer to the organisation. SQLite's writing transaction is that lock."""
    connection.execute(
        sa.select(organisation.c.id)
        .where(organisation.c.id == organisation_id)
        .with_for_update(key_share=True)
    )


def require_room(has: int, limit: int, *, things: str, setting: str, way_out: str) -> None:
    """Raises ApiProblem 409 when an organisation has as many `things` as it may have."""
    if has >= limit:
        raise ApiProblem(
            409,
            f"The organisation has {has:,} {things}, and may have {limit:,} ({setting}). {way_out}, or ask"
            " the operator for more.",
        )
