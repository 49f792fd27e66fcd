"""Whom an organisation has on record with an e-mail address: those whom mail may go to, and
whom a comment names with `@` before a name or an address.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.values import is_email_address
from app.service.access.caller import Caller
from app.service.access.people import read_caller_name
from app.service.comments.objects import OWNERS, TABLES
from app.service.database.tables import membership, negotiation, user_account
from app.service.database.visibility import owned_by

_ADDRESS = re.compile(r"(?<![\w.@])@([^\s@,;:<>()\"]+@[^\s@,;:<>()\"]+)")
_AT = re.compile(r"(?<![\w.])@(?=\w)")
_MAX_NAMED = 20


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody on record, whom a comment may name."""

    name: str
    email: str


class RefusedName(ValueError):
    """A comment names somebody who cannot be named; the message is a sentence that says why."""


def find_named(text: str, people: Iterable[Person]) -> Sequence[Person]:
    """Return whom the text names, each once, those by address first. What follows an `@` and is
    neither an address nor the name of somebody on record is plain text. Raises RefusedName."""
    by_email: dict[str, Person] = {}
    by_name: dict[str, dict[str, Person]] = defaultdict(dict)
    for one in people:
        by_email.setdefault(one.email.lower(), one)
        by_name[" ".join(one.name.casefold().split())].setdefault(one.email.lower(), one)
    named = {one.email.lower(): one for one in _iterate_named(text, by_email, by_name)}
    if len(named) > _MAX_NAMED:
        raise RefusedName(f"names {len(named)} people, and may name {_MAX_NAMED}")
    return list(named.values())


def _iterate_named(
    text: str, by_email: dict[str, Person], by_name: dict[str, dict[str, Person]]
) -> Iterator[Person]:
    for found in _ADDRESS.finditer(text):
        address = found[1].rstrip(".!?'")
        if not is_email_address(address):
            continue
        if address.lower() not in by_email:
            raise RefusedName(
                f"names {address}, which is not on record here. Mail goes to members of your organisation, to"
                " owners of its scopes, negotiations and agreements, and to those who lead a negotiation."
            )
        yield by_email[address.lower()]
    folded = text.casefold()
    # The text may become longer when it is folded, so that names are sought in the folded one alone.
    names = sorted(by_name, key=len, reverse=True)
    for at in _AT.finditer(folded):
        rest = " ".join(folded[at.end() : at.end() + 400].split())
        name = next((one for one in names if one and _begins_with(rest, one)), None)
        if name is not None:
            if len(by_name[name]) > 1:
                addresses = " or ".join(f"@{one.email}" for one in by_name[name].values())
                raise RefusedName(f"names one of several people of the same name: write {addresses}")
            yield from by_name[name].values()


def _begins_with(text: str, name: str) -> bool:
    after = text[len(name) : len(name) + 1]
    return text.startswith(name) and not after.isalnum() and after not in ("_", "@")


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


def describe_caller(connection: Connection, caller: Caller) -> str:
    """Return who calls: the person or key, which is proved, and behind it for whom they say that they act,
    which is not."""
    name = read_caller_name(connection, caller)
    claimed = caller.end_user.named
    return f"{name}, on behalf of {claimed}" if claimed else name


def name_decider(connection: Connection, caller: Caller) -> str | None:
    """Return who decides by a call, as `describe_caller`; a key that names nobody decides as nobody."""
    return describe_caller(connection, caller) if caller.user_id or caller.end_user.named else None
