"""Whom the service writes to, and how much: so that nobody sends mail to strangers, or floods anybody, with a
key and a list of addresses."""

from collections import Counter
from collections.abc import Iterable
from datetime import datetime, timedelta

import sqlalchemy as sa
from sqlalchemy import Connection

from app.service.database.tables import letter, membership, user_account
from app.service.database.visibility import owned_by
from app.settings import Settings

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
