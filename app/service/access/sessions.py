"""Sessions: somebody is signed in, as a person or with an API key, until they sign out, are idle for too long
or a week is over. A session's token is used like an API key; its row holds a digest."""

import secrets
from datetime import datetime, timedelta

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.sign_in import SESSION_PREFIX
from app.service.access.caller import Caller
from app.service.access.keys import hash_key, is_in_use, key_role, read_networks
from app.service.database.dialect import insert_once
from app.service.database.rows import count_rows
from app.service.database.tables import api_key, identity, membership, used_ticket, user_session
from app.service.ids import new_id

IDLE = timedelta(hours=12)
ABSOLUTE = timedelta(days=7)
MOST_OF_ONE = 100
"""Sessions of one person or key: another one ends that which was used the longest time ago."""
TOUCH_AFTER = timedelta(minutes=15)
TICKETS_KEPT = timedelta(days=30)
MOST_TICKETS = 10_000
"""Of one person or key within that time."""
MAX_NAME_LENGTH = 255
"""Of a session of the identity provider; a longer one is stored as its digest."""


def start_session(
    connection: Connection,
    holder: Caller,
    now: datetime,
    *,
    provider_session: str | None = None,
    id_token: bytes | None = None,
) -> str:
    """Start a session and return its token, which nothing keeps. `id_token` is sealed. Sessions that are over
    leave the table."""
    connection.execute(user_session.delete().where(is_over(now)))
    # Room is made for another session of the person or key.
    column = user_session.c.user_id if holder.user_id else user_session.c.api_key_id
    too_many = (
        sa.select(user_session.c.id)
        .where(column == holder.key_id)
        .order_by(user_session.c.seen_at.desc(), user_session.c.started_at.desc(), user_session.c.id)
        .offset(MOST_OF_ONE - 1)
    )
    connection.execute(user_session.delete().where(user_session.c.id.in_(too_many)))
    token = SESSION_PREFIX + secrets.token_urlsafe(32)
    connection.execute(
        user_session.insert().values(
            id=new_id(),
            digest=hash_key(token),
            organisation_id=holder.organisation_id,
            user_id=holder.user_id,
            api_key_id=None if holder.user_id else holder.key_id,
            provider_session=provider_session and _shorten(provider_session),
            id_token=id_token,
            started_at=now,
            seen_at=now,
        )
    )
    return token


def find_session_holder(connection: Connection, digest: str, now: datetime) -> tuple[Caller, bool] | None:
    """Return who is signed in, and whether the session is to be marked as used. None where it is over, the
    key was revoked or the person is no member any more."""
    row = connection.execute(
        sa.select(
            user_session,
            api_key.c.id.label("key_in_use"),
            key_role().label("key_role"),
            api_key.c.sample,
            api_key.c.networks,
            membership.c.role,
        )
        .outerjoin(api_key, sa.and_(api_key.c.id == user_session.c.api_key_id, is_in_use(now)))
        .outerjoin(
            membership,
            sa.and_(
                membership.c.user_id == user_session.c.user_id,
                membership.c.organisation_id == user_session.c.organisation_id,
            ),
        )
        .where(user_session.c.digest == digest, ~is_over(now))
    ).first()
    if row is None or (row.role is None and row.key_in_use is None):
        return None
    holder = Caller(
        key_id=row.api_key_id or row.user_id,
        organisation_id=row.organisation_id,
        role=row.role or row.key_role,
        sample=bool(row.sample),
        user_id=row.user_id,
        session_id=row.id,
        networks=read_networks(row.networks),
    )
    return holder, now - row.seen_at > TOUCH_AFTER


def touch_session(connection: Connection, session_id: str, now: datetime) -> None:
    connection.execute(user_session.update().where(user_session.c.id == session_id).values(seen_at=now))


def end_session(connection: Connection, session_id: str) -> bytes | None:
    """End a session, and return the sealed ID token that it began with."""
    of_session = user_session.c.id == session_id
    id_token = connection.scalar(sa.select(user_session.c.id_token).where(of_session))
    connection.execute(user_session.delete().where(of_session))
    return id_token


def end_provider_sessions(
    connection: Connection, issuer: str, subject: str | None, provider_session: str | None
) -> list[tuple[str, str]]:
    """End the sessions of a person, or those of one session of the identity provider; return the organisation
    and the person of each."""
    people = sa.select(identity.c.user_id).where(identity.c.issuer == issuer)
    if subject is not None:
        people = people.where(identity.c.subject == subject)
    ended = user_session.c.user_id.in_(people)
    if provider_session is not None:
        ended = sa.and_(ended, user_session.c.provider_session == _shorten(provider_session))
    gone = connection.execute(
        user_session.delete().where(ended).returning(user_session.c.organisation_id, user_session.c.user_id)
    )
    return [(row.organisation_id, row.user_id) for row in gone]


def _shorten(provider_session: str) -> str:
    """Return the name of a session of the provider as it is stored."""
    return provider_session if len(provider_session) <= MAX_NAME_LENGTH else hash_key(provider_session)


def has_ticket_left(connection: Connection, holder: str, now: datetime) -> bool:
    """Whether a person or key may use another ticket: each is a row, and a key that only reads uses them."""
    kept = used_ticket.c.holder == holder, used_ticket.c.used_at >= now - TICKETS_KEPT
    return count_rows(connection, used_ticket, *kept) < MOST_TICKETS


def use_ticket(connection: Connection, holder: str, ticket: str, now: datetime) -> bool:
    """Whether the ticket is used for the first time, in whichever process. Those of a month ago are
    forgotten."""
    connection.execute(used_ticket.delete().where(used_ticket.c.used_at < now - TICKETS_KEPT))
    row = {"holder": holder, "digest": hash_key(ticket), "used_at": now}
    return insert_once(connection, used_ticket, row)


def is_over(now: datetime) -> sa.ColumnElement[bool]:
    """Whether a session has ended by itself, as a condition."""
    return sa.or_(user_session.c.started_at < now - ABSOLUTE, user_session.c.seen_at < now - IDLE)
