"""Who gets mail about what is on record, and who does not want it: each has a link for each organisation that
writes to them, which works for ever and for nothing else."""

import secrets
from collections.abc import Collection
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy import Connection

from app.service.database.dialect import insert_missing
from app.service.database.tables import mail_recipient, organisation
from app.service.database.visibility import owned_by

COLUMNS = mail_recipient.c
UNSUBSCRIBING = "/v1/mail/unsubscribe"
SUBSCRIBING = "/v1/mail/subscribe"


def find_refusing(connection: Connection, organisation_id: str, addresses: Collection[str]) -> set[str]:
    """Return those of the addresses that want no mail of the organisation, in small letters."""
    return set(
        connection.scalars(
            sa.select(COLUMNS.address).where(
                owned_by(COLUMNS, organisation_id),
                COLUMNS.address.in_({one.lower() for one in addresses}),
                COLUMNS.refused_at.is_not(None),
            )
        )
    )


def ensure_token(connection: Connection, organisation_id: str, address: str) -> str:
    """Return the token of the link of an address, which is made with the first letter."""
    key = {"organisation_id": organisation_id, "address": address.lower()}
    insert_missing(connection, mail_recipient, [{**key, "token": secrets.token_urlsafe(32)}])
    query = sa.select(COLUMNS.token).filter_by(**key)
    return connection.execute(query).scalar_one()


def find_recipient(connection: Connection, token: str) -> tuple[str, str, bool] | None:
    """Return the address, the name of the organisation and whether mail is refused, by a link's token."""
    row = connection.execute(
        sa.select(COLUMNS.address, organisation.c.name, COLUMNS.refused_at.is_not(None))
        .join(organisation, organisation.c.id == COLUMNS.organisation_id)
        .where(COLUMNS.token == token)
    ).first()
    return None if row is None else (row[0], row[1], bool(row[2]))


def save_wish(connection: Connection, token: str, refused_at: datetime | None) -> bool:
    """Store whether mail is refused; False for a token that is not known."""
    changed = mail_recipient.update().where(COLUMNS.token == token).values(refused_at=refused_at)
    return connection.execute(changed).rowcount == 1
