"""Organisations and their API keys. A key is shown once; its row holds a digest."""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.access import Role
from app.service.database.tables.access import api_key, organisation
from app.service.ids import new_id

PREFIX = "parley_"
HINT_LENGTH = 12
"""Characters of a key that a list shows, of which the first seven are the same for all."""


@dataclass(frozen=True)
class KeyRecord:
    """A key as a list shows it; `hint` is how it begins."""

    id: str
    organisation_id: str
    organisation: str
    name: str
    hint: str
    role: Role
    created_at: datetime
    revoked_at: datetime | None


def hash_key(key: str) -> str:
    """SHA-256 as hex. A key is 256 random bits, so a slow hash would add nothing."""
    return hashlib.sha256(key.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class KeyHolder:
    """Who calls and what they may do: the holder of an API key or, where there is a `user_id`, a person,
    whose id then is the `key_id` too. What is made with a `sample` key is marked as sample data."""

    key_id: str
    organisation_id: str
    role: Role
    sample: bool = False
    user_id: str | None = None
    session_id: str | None = None


def key_role() -> sa.ColumnElement[Role]:
    """The role of a key in a query: an owner's or a reader's where a version without roles made the key."""
    given: sa.ColumnElement[Role] = sa.func.coalesce(
        api_key.c.role, sa.case((api_key.c.read_only, "reader"), else_="owner")
    )
    return given


class UnknownOrganisation(ValueError):
    """No organisation has that name."""


def find_organisation(connection: Connection, name: str) -> str:
    """The id of the organisation of that name. Raises UnknownOrganisation."""
    found: str | None = connection.scalar(sa.select(organisation.c.id).where(organisation.c.name == name))
    if found is None:
        raise UnknownOrganisation(f"there is no organisation {name!r}: make a key for it first")
    return found


def ensure_organisation(connection: Connection, name: str, now: datetime) -> str:
    """The id of the organisation of that name, which is made if there is none."""
    found: str | None = connection.scalar(sa.select(organisation.c.id).where(organisation.c.name == name))
    if found is not None:
        return found
    made = new_id()
    connection.execute(organisation.insert().values(id=made, name=name, created_at=now))
    return made


def create_key(
    connection: Connection,
    *,
    name: str,
    organisation_name: str,
    role: Role,
    now: datetime,
    sample: bool = False,
) -> tuple[str, str]:
    """Makes a key and returns its id and the key itself, which nothing keeps. What is made with a `sample`
    key is marked as sample data."""
    organisation_id = ensure_organisation(connection, organisation_name, now)
    return add_key(connection, organisation_id=organisation_id, name=name, role=role, now=now, sample=sample)


def add_key(
    connection: Connection,
    *,
    organisation_id: str,
    name: str,
    role: Role,
    now: datetime,
    sample: bool = False,
) -> tuple[str, str]:
    """The same for an organisation that there is."""
    key = PREFIX + secrets.token_urlsafe(32)
    key_id = new_id()
    connection.execute(
        api_key.insert().values(
            id=key_id,
            organisation_id=organisation_id,
            name=name,
            digest=hash_key(key),
            hint=key[:HINT_LENGTH],
            read_only=role == "reader",
            role=role,
            sample=sample,
            created_at=now,
        )
    )
    return key_id, key


def renew_key(connection: Connection, key_id: str) -> str:
    """Gives a key new secret characters, in use again if it was revoked; returns the key itself."""
    key = PREFIX + secrets.token_urlsafe(32)
    connection.execute(
        api_key.update()
        .where(api_key.c.id == key_id)
        .values(digest=hash_key(key), hint=key[:HINT_LENGTH], revoked_at=None)
    )
    return key


def revoke_key(connection: Connection, key_id: str, now: datetime) -> bool:
    """Whether there was such a key in use."""
    done = connection.execute(
        api_key.update().where(api_key.c.id == key_id, api_key.c.revoked_at.is_(None)).values(revoked_at=now)
    )
    return done.rowcount == 1


def revoke_keys_named(connection: Connection, name: str, now: datetime) -> None:
    """Takes every key of that name out of use."""
    connection.execute(
        api_key.update().where(api_key.c.name == name, api_key.c.revoked_at.is_(None)).values(revoked_at=now)
    )


def list_keys(connection: Connection) -> list[KeyRecord]:
    """Every key, newest first."""
    rows = connection.execute(
        sa.select(api_key, key_role().label("given_role"), organisation.c.name.label("organisation"))
        .join(organisation)
        .order_by(api_key.c.created_at.desc(), api_key.c.id)
    )
    return [
        KeyRecord(
            id=row.id,
            organisation_id=row.organisation_id,
            organisation=row.organisation,
            name=row.name,
            hint=row.hint,
            role=row.given_role,
            created_at=row.created_at,
            revoked_at=row.revoked_at,
        )
        for row in rows
    ]


def read_key_name(connection: Connection, key_id: str) -> str:
    """Return the name of a key."""
    return connection.execute(sa.select(api_key.c.name).where(api_key.c.id == key_id)).scalar_one()


def read_organisation_name(connection: Connection, organisation_id: str) -> str:
    """Return the name of an organisation."""
    return connection.execute(
        sa.select(organisation.c.name).where(organisation.c.id == organisation_id)
    ).scalar_one()


def find_key_holder(connection: Connection, digest: str) -> KeyHolder | None:
    """The holder of a key that is in use."""
    row = connection.execute(
        sa.select(api_key.c.id, api_key.c.organisation_id, key_role(), api_key.c.sample).where(
            api_key.c.digest == digest, api_key.c.revoked_at.is_(None)
        )
    ).first()
    return None if row is None else KeyHolder(*row)
