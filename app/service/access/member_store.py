"""People of an organisation: their roles, sign-ins and sessions."""

from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.page import PageRequest
from app.contract.people import EndedSessions, Member
from app.service.access.sessions import is_over
from app.service.database.paging import count_rows
from app.service.database.tables import audit_entry, membership, user_account, user_session
from app.service.http.problems import not_found

SIGN_IN = "session.start"
"""The action of a sign-in in the audit log."""


@dataclass(frozen=True)
class ListedMembers:
    """A page of people, and the number of all."""

    members: list[Member]
    total: int


def list_members(
    connection: Connection, organisation_id: str, page: PageRequest, now: datetime
) -> ListedMembers:
    """List people by their names, with their sessions that are not over."""
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
    found = [Member.build_from(row) for row in rows]
    return ListedMembers(found, total)


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
