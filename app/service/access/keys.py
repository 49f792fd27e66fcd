"""Organisations and their API keys. A key is shown once; its row holds a digest."""

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from ipaddress import ip_network
from typing import TypedDict, Unpack

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.access import Role
from app.outgoing.addresses import Network
from app.service.access.caller import Caller
from app.service.database.rows import read_row
from app.service.database.tables import api_key, organisation
from app.service.ids import new_id

PREFIX = "parley_"
NOTED_AFTER = timedelta(minutes=15)
"""How often it is noted that a key is used."""
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
    expires_at: datetime | None
    networks: str | None
    used_at: datetime | None
    used_address: str | None


def hash_key(key: str) -> str:
    """SHA-256 as hex. A key is 256 random bits, so a slow hash would add nothing."""
    return hashlib.sha256(key.encode()).hexdigest()


def is_in_use(now: datetime) -> sa.ColumnElement[bool]:
    """Whether a key works, as a condition."""
    ends = api_key.c.expires_at
    return sa.and_(api_key.c.revoked_at.is_(None), sa.or_(ends.is_(None), ends > now))


def read_networks(stored: str | None) -> tuple[Network, ...]:
    """Return the networks of a key as its row has them."""
    return tuple(map(ip_network, (stored or "").split()))


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


class KeyBounds(TypedDict, total=False):
    """What a key is for beside its role: what is made with a `sample` key is marked as sample data; until
    when it works, and from which networks alone."""

    sample: bool
    expires_at: datetime | None
    networks: Sequence[str]


def create_key(
    connection: Connection,
    *,
    name: str,
    organisation_name: str,
    role: Role,
    now: datetime,
    **bounds: Unpack[KeyBounds],
) -> tuple[str, str]:
    """Makes a key and returns its id and the key itself, which nothing keeps."""
    organisation_id = ensure_organisation(connection, organisation_name, now)
    return add_key(connection, organisation_id=organisation_id, name=name, role=role, now=now, **bounds)


def add_key(
    connection: Connection,
    *,
    organisation_id: str,
    name: str,
    role: Role,
    now: datetime,
    **bounds: Unpack[KeyBounds],
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
            sample=bounds.get("sample", False),
            created_at=now,
            expires_at=bounds.get("expires_at"),
            networks=" ".join(bounds.get("networks", ())) or None,
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
    return [read_row(KeyRecord, row, role=row["given_role"]) for row in rows.mappings()]


def read_organisation_name(connection: Connection, organisation_id: str) -> str:
    return connection.execute(
        sa.select(organisation.c.name).where(organisation.c.id == organisation_id)
    ).scalar_one()


def find_key_holder(connection: Connection, digest: str, now: datetime) -> tuple[Caller, bool] | None:
    """The holder of a key that is in use, and whether it is to be noted that it is."""
    row = connection.execute(
        sa.select(api_key, key_role().label("given_role")).where(api_key.c.digest == digest, is_in_use(now))
    ).first()
    if row is None:
        return None
    networks = read_networks(row.networks)
    holder = Caller(row.id, row.organisation_id, row.given_role, sample=row.sample, networks=networks)
    is_due = row.used_at is None or now - row.used_at > NOTED_AFTER
    return holder, is_due


def note_use(connection: Connection, key_id: str, address: str | None, now: datetime) -> None:
    used = {"used_at": now, "used_address": address}
    connection.execute(api_key.update().where(api_key.c.id == key_id).values(used))
