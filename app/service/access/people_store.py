"""The keys and people of an organisation as its admins manage them."""

from datetime import datetime

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.access import Role, has_role
from app.contract.page import PageRequest
from app.contract.people import ApiKey, EndedSessions, Member
from app.service.access.caller import Caller
from app.service.access.keys import is_in_use, key_role, revoke_key
from app.service.access.quotas import lock_organisation
from app.service.access.sessions import is_over
from app.service.database.rows import count_rows, read_page
from app.service.database.tables import api_key, audit_entry, membership, user_account, user_session
from app.service.http.problems import ApiProblem, not_found

MAX_KEYS = 1_000
"""Keys in use of an organisation."""
SIGN_IN = "session.start"
"""The action of a sign-in in the audit log."""


def list_own_keys(
    connection: Connection, caller: Caller, page: PageRequest, now: datetime
) -> tuple[int, list[ApiKey]]:
    """Return how many keys there are, and a page of them: those in use before those that were revoked or have
    expired, the newest first."""
    listing = (
        sa.select(api_key, key_role().label("given_role"))
        .where(api_key.c.organisation_id == caller.organisation_id)
        .order_by(is_in_use(now).desc(), api_key.c.created_at.desc(), api_key.c.id.desc())
    )
    total, rows = read_page(connection, listing, page)
    found = [
        ApiKey(
            id=row.id,
            name=row.name,
            hint=row.hint,
            role=row.given_role,
            created_at=row.created_at,
            revoked_at=row.revoked_at,
            expires_at=row.expires_at,
            networks=row.networks.split() if row.networks else None,
            used_at=row.used_at,
            used_address=row.used_address,
            own=row.id == caller.key_id,
        )
        for row in rows
    ]
    return total, found


def require_room_for_key(connection: Connection, organisation_id: str, now: datetime) -> None:
    """Raises ApiProblem 409 where the organisation has as many keys as it may have."""
    lock_organisation(connection, organisation_id)
    own = api_key.c.organisation_id == organisation_id
    if count_rows(connection, api_key, own, is_in_use(now)) >= MAX_KEYS:
        raise ApiProblem(409, f"The organisation has {MAX_KEYS:,} keys in use; revoke one first.")


def revoke_own_key(
    connection: Connection,
    organisation_id: str,
    key_id: str,
    *,
    caller_role: Role,
    people_sign_in: bool,
    now: datetime,
) -> str:
    """Revoke a key that is in use, and return its name. Raises ApiProblem 404 for one that is not there, 403
    for one of a higher role than the caller's, and 409 for the last way in of an owner: another is a key of
    an owner, or a person with that role where people sign in."""
    lock_organisation(connection, organisation_id)
    own = api_key.c.organisation_id == organisation_id
    found = connection.execute(
        sa.select(api_key.c.name, key_role()).where(own, is_in_use(now), api_key.c.id == key_id)
    ).first()
    if found is None:
        raise not_found("key in use")
    name, role = found
    if not has_role(caller_role, role):
        raise ApiProblem(403, f"This key has the role {role}, which is above yours, {caller_role}.")
    if role == "owner":
        # One that ends by itself is no way in for later.
        stays = sa.and_(api_key.c.revoked_at.is_(None), api_key.c.expires_at.is_(None))
        owners = [sa.exists().where(own, stays, api_key.c.id != key_id, key_role() == "owner")]
        if people_sign_in:
            of_people = membership.c.organisation_id == organisation_id
            owners.append(sa.exists().where(of_people, membership.c.role == "owner"))
        if not connection.scalar(sa.select(sa.or_(*owners))):
            raise ApiProblem(
                409,
                "This is the last access of an owner, and nobody could give another. Make another key of an"
                " owner first.",
            )
    revoke_key(connection, key_id, now)
    return name


def list_members(
    connection: Connection, organisation_id: str, page: PageRequest, now: datetime
) -> tuple[int, list[Member]]:
    """Return how many people there are, and a page of them by their names, with their sessions that are
    not over."""
    own = membership.c.organisation_id == organisation_id
    total = count_rows(connection, membership, own)
    person = membership.c.user_id
    live = (
        sa.select(sa.func.count())
        .where(
            user_session.c.user_id == person,
            user_session.c.organisation_id == organisation_id,
            ~is_over(now),
        )
        .scalar_subquery()
    )
    last = (
        sa.select(audit_entry.c.at)
        .where(
            audit_entry.c.organisation_id == organisation_id,
            audit_entry.c.actor_id == person,
            audit_entry.c.action == SIGN_IN,
        )
        .order_by(audit_entry.c.at.desc())
        .limit(1)
        .scalar_subquery()
    )
    rows = connection.execute(
        sa.select(
            membership.c.user_id.label("id"),
            user_account.c.name,
            user_account.c.email,
            membership.c.role,
            last.label("signed_in_at"),
            live.label("sessions"),
        )
        .join(user_account, user_account.c.id == person)
        .where(own)
        .order_by(user_account.c.name, person)
        .limit(page.limit)
        .offset(page.offset)
    )
    return total, [Member.build_from(row) for row in rows]


def end_member_sessions(connection: Connection, organisation_id: str, user_id: str) -> EndedSessions:
    """End the sessions of a person in the organisation. Raises ApiProblem 404 for somebody who is no
    member."""
    name = connection.scalar(
        sa.select(user_account.c.name)
        .join(membership, membership.c.user_id == user_account.c.id)
        .where(membership.c.organisation_id == organisation_id, user_account.c.id == user_id)
    )
    if name is None:
        raise not_found("member")
    ended = connection.execute(
        user_session.delete().where(
            user_session.c.organisation_id == organisation_id, user_session.c.user_id == user_id
        )
    ).rowcount
    return EndedSessions(id=user_id, name=name, ended=ended)
