"""Who of those that the identity provider knows is let in, where, and with which role."""

from collections.abc import Collection, Sequence
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.access import RANKS, Role
from app.service.access.caller import Caller
from app.service.access.keys import ensure_organisation
from app.service.database.dialect import insert_once, upsert
from app.service.database.tables import (
    api_key,
    audit_entry,
    identity,
    membership,
    organisation,
    user_account,
    user_session,
)
from app.service.ids import new_id
from app.service.openid.tokens import Claims
from app.settings import GroupRole

MAX_NAME_LENGTH = 200
REFUSED = "session.refuse"
"""The action in the audit log of a sign-in that was refused because no group is let in."""


def admit_person(
    connection: Connection,
    claims: Claims,
    groups: Collection[str],
    entries: Sequence[GroupRole],
    now: datetime,
) -> Caller | None:
    """Give the person the roles that `entries` map the groups to, and no other, and return where they work:
    the organisation of the first entry that fits. None for a person whom no entry lets in: their earlier
    roles and sessions end, and whoever signs in for the first time leaves no trace."""
    roles = _map_groups(groups, entries)
    user_id = find_user(connection, claims)
    if not roles:
        if user_id is not None:
            for table in (membership, user_session):
                connection.execute(table.delete().where(table.c.user_id == user_id))
        return None
    user_id = user_id or _add_user(connection, claims, now)
    shown = {"name": (claims.text("name") or claims.subject)[:MAX_NAME_LENGTH], "email": claims.text("email")}
    connection.execute(user_account.update().where(user_account.c.id == user_id).values(**shown))
    members: dict[str, Role] = {
        ensure_organisation(connection, name, now): role for name, role in roles.items()
    }
    connection.execute(
        membership.delete().where(
            membership.c.user_id == user_id, membership.c.organisation_id.not_in(members)
        )
    )
    rows = [
        {"user_id": user_id, "organisation_id": organisation_id, "role": role, "created_at": now}
        for organisation_id, role in members.items()
    ]
    upsert(connection, membership, rows, keep=["created_at"])
    organisation_id, role = next(iter(members.items()))
    return Caller(user_id, organisation_id, role, user_id=user_id)


def find_member(connection: Connection, claims: Claims, entries: Sequence[GroupRole]) -> Caller | None:
    """Return a person who has signed in before, where a sign-in takes them: in the organisation that
    `entries` name first."""
    rows = connection.execute(
        sa.select(organisation.c.name, membership.c.user_id, membership.c.organisation_id, membership.c.role)
        .join(identity, identity.c.user_id == membership.c.user_id)
        .join(organisation, organisation.c.id == membership.c.organisation_id)
        .where(identity.c.issuer == claims.issuer, identity.c.subject == claims.subject)
        .order_by(membership.c.created_at, membership.c.organisation_id)
    )
    members = {name: Caller(*rest, user_id=rest[0]) for name, *rest in rows}
    listed = dict.fromkeys(entry.organisation for entry in entries)
    return next((members[name] for name in (*listed, *members) if name in members), None)


def was_refused_since(connection: Connection, claims: Claims) -> bool:
    """Return whether a sign-in of the person was refused after their token was issued: what it says of their
    groups does not hold any more."""
    refused_at = connection.scalar(
        sa.select(sa.func.max(audit_entry.c.at)).where(
            audit_entry.c.organisation_id.in_(sa.select(organisation.c.id)),
            audit_entry.c.actor_id == find_user(connection, claims),
            audit_entry.c.action == REFUSED,
        )
    )
    return refused_at is not None and claims.content["iat"] < int(refused_at.timestamp())


def find_organisations(connection: Connection, user_id: str) -> Sequence[str]:
    """Return the organisations that a person works in, or did something in before."""
    works = sa.exists().where(
        membership.c.organisation_id == organisation.c.id, membership.c.user_id == user_id
    )
    worked = sa.exists().where(
        audit_entry.c.organisation_id == organisation.c.id, audit_entry.c.actor_id == user_id
    )
    return connection.scalars(sa.select(organisation.c.id).where(sa.or_(works, worked))).all()


def read_caller_name(connection: Connection, caller: Caller) -> str:
    """Return the name of the person or key that calls."""
    table = user_account if caller.user_id else api_key
    return connection.execute(sa.select(table.c.name).where(table.c.id == caller.key_id)).scalar_one()


def _map_groups(groups: Collection[str], entries: Sequence[GroupRole]) -> dict[str, Role]:
    """The highest role in each organisation, in the order of the entries."""
    roles: dict[str, Role] = {}
    for entry in entries:
        if entry.group in groups:
            both: list[Role] = [roles.get(entry.organisation, entry.role), entry.role]
            roles[entry.organisation] = max(both, key=RANKS.index)
    return roles


def find_user(connection: Connection, claims: Claims) -> str | None:
    """Return the id of a person's account, where they have signed in before."""
    return connection.scalar(
        sa.select(identity.c.user_id).where(
            identity.c.issuer == claims.issuer, identity.c.subject == claims.subject
        )
    )


def _add_user(connection: Connection, claims: Claims, now: datetime) -> str:
    """The id of the account of a new person. Of two sign-ins at once the second finds that of the first."""
    made = new_id()
    connection.execute(user_account.insert().values(id=made, name=claims.subject, created_at=now))
    row = {"issuer": claims.issuer, "subject": claims.subject, "user_id": made}
    if insert_once(connection, identity, row):
        return made
    connection.execute(user_account.delete().where(user_account.c.id == made))
    return find_user(connection, claims) or made
