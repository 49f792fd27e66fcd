"""Whom the service writes to, and how much: so that nobody sends mail to strangers, or floods anybody, with a
key and a list of addresses; and who does not want mail: each has a link for each organisation that writes to
them, which works for ever and for nothing else."""

import secrets
from collections import Counter
from collections.abc import Collection, Iterable
from datetime import datetime, timedelta

import sqlalchemy as sa
from sqlalchemy import Connection

from app.service.database.dialect import insert_missing
from app.service.database.tables import letter, mail_recipient, membership, organisation, user_account
from app.service.database.visibility import owned_by
from app.settings import Settings

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


DAY = timedelta(days=1)
MOST_TO_ONE = 50
"""Letters of an organisation to one address within a day."""


def find_strangers(
    connection: Connection, settings: Settings, organisation_id: str, addresses: Iterable[str]
) -> set[str]:
    """Return those of the addresses that get no mail about what is on record: they are neither of members of
    the organisation nor of the domains that the operator allows."""
    domains = settings.resolved_mail_domains
    if "*" in domains:
        return set()
    others = {one for one in addresses if one.lower().rpartition("@")[2] not in domains}
    if not others:
        return set()
    members = connection.scalars(
        sa.select(sa.func.lower(user_account.c.email))
        .join(membership, membership.c.user_id == user_account.c.id)
        .where(
            owned_by(membership.c, organisation_id),
            sa.func.lower(user_account.c.email).in_({one.lower() for one in others}),
        )
    )
    known = set(members)
    return {one for one in others if one.lower() not in known}


class MailRoom:
    """How many letters of an organisation may still leave today, of those to suppliers and to colleagues
    together."""

    def __init__(self, most: int, to: Counter[str]) -> None:
        self._most = most
        self._to = to

    def take(self, address: str) -> bool:
        """Whether another letter to the address may leave; it counts from then on."""
        if self._to.total() >= self._most or self._to[address.lower()] >= MOST_TO_ONE:
            return False
        self._to[address.lower()] += 1
        return True


def find_mail_room(
    connection: Connection, settings: Settings, organisation_id: str, now: datetime
) -> MailRoom:
    """Return the room of an organisation from what it has sent within a day."""
    sent = owned_by(letter.c, organisation_id), letter.c.sent_at > now - DAY
    recipients = connection.scalars(sa.select(letter.c.recipient).where(*sent))
    to = Counter(address.lower() for address in recipients if address is not None)
    return MailRoom(settings.max_mails, to)
