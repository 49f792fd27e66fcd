"""Whom an organisation has on record with an e-mail address: those whom mail may go to."""

from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from app.service.access.caller import Caller
from app.service.comments.naming import Person
from app.service.comments.objects import OWNERS, TABLES
from app.service.database.tables.access import api_key
from app.service.database.tables.negotiation import negotiation
from app.service.database.tables.people import membership, user_account
from app.service.database.visibility import owned_by


def load_people(connection: Connection, organisation_id: str) -> Iterator[Person]:
    """Yield the members, the owners of agreements, scopes and negotiations, and those who lead a negotiation.
    Sample records are invented, and so are their owners."""
    members = (
        sa.select(user_account.c.name, user_account.c.email)
        .join(membership, membership.c.user_id == user_account.c.id)
        .where(owned_by(membership.c, organisation_id), user_account.c.email.is_not(None))
    )
    yield from (Person(row.name, row.email) for row in connection.execute(members))
    for kind, column in OWNERS.items():
        table = TABLES[kind]
        real = owned_by(table.c, organisation_id), table.c.sample.is_(sa.false())
        for found in connection.scalars(sa.select(column).where(*real, column.is_not(None))):
            yield from list_reachable(found)
    leaders = sa.select(negotiation.c.contact_name, negotiation.c.contact_email).distinct()
    real = owned_by(negotiation.c, organisation_id), negotiation.c.sample.is_(sa.false())
    yield from (Person(*row) for row in connection.execute(leaders.where(*real)))


def list_reachable(owners: list[dict[str, Any]] | None) -> Iterator[Person]:
    """Yield the owners who have an address, as they are stored."""
    for one in owners or ():
        if one.get("email"):
            yield Person(one["name"], one["email"])


def find_own_address(connection: Connection, caller: Caller) -> str | None:
    """Return the address of the person who calls, in small letters: no mail goes there about what they did
    themselves. Whom a call claims to act for gets it: anybody could else keep it from them."""
    query = sa.select(sa.func.lower(user_account.c.email)).where(user_account.c.id == caller.user_id)
    return connection.scalar(query) if caller.user_id else None


def read_caller_name(connection: Connection, caller: Caller) -> str:
    """Return the name of the person or key that calls."""
    table = user_account if caller.user_id else api_key
    return connection.execute(sa.select(table.c.name).where(table.c.id == caller.key_id)).scalar_one()


def describe_caller(connection: Connection, caller: Caller) -> str:
    """Return who calls: the person or key, which is proved, and behind it for whom they say that they act,
    which is not."""
    name = read_caller_name(connection, caller)
    claimed = caller.end_user.named
    return f"{name}, on behalf of {claimed}" if claimed else name


def name_decider(connection: Connection, caller: Caller) -> str | None:
    """Return who decides by a call, as `describe_caller`; a key that names nobody decides as nobody."""
    return describe_caller(connection, caller) if caller.user_id or caller.end_user.named else None
