"""The audit log: who changed what. A row is written in the transaction of the change, by the guard of every
operation or with what the service does by itself (`outcomes`), and is never changed or deleted. It names the
fields that came, never their values."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection
from starlette.responses import Response

from app.contract.audit import ActorKind
from app.service.access.caller import Caller
from app.service.access.quotas import count_written
from app.service.context import Context
from app.service.database.tables.access import api_key
from app.service.database.tables.people import audit_entry, user_account
from app.service.ids import new_id

MAX_TEXT = 200


@dataclass(frozen=True, slots=True)
class Actor:
    """Who makes a change: a person or key by its id, the operator at the command line, or the service by
    itself."""

    kind: ActorKind
    id: str


OPERATOR = Actor("command", "")
SERVICE = Actor("service", "")
NAMES = {OPERATOR: "Operator, command line", SERVICE: "Parley, in the background"}
"""What those are called who are no person and no key."""


@dataclass(frozen=True, kw_only=True)
class Entry:
    """An entry of the audit log, still to be written."""

    organisation_id: str
    actor: Actor
    action: str
    summary: str
    object_kind: str
    object_id: str | None = None
    object_name: str | None = None
    request_id: str = ""
    details: Mapping[str, Any] = field(default_factory=dict[str, Any])


def read_actor(caller: Caller) -> Actor:
    """Return who makes a call."""
    return Actor("person" if caller.user_id else "key", caller.key_id)


def name_actor(actor: Actor) -> Any:
    """Return what somebody is called now, as a value for a row that is written."""
    if actor in NAMES:
        return NAMES[actor]
    table = user_account if actor.kind == "person" else api_key
    known = sa.select(table.c.name).where(table.c.id == actor.id).scalar_subquery()
    return sa.func.coalesce(known, "")


def read_actor_name() -> sa.ColumnElement[str]:
    """What the actor of an entry is called, in a query of entries: a person as they are called now, since no
    entry holds a person's name, and everybody else as they were called then."""
    person = sa.select(user_account.c.name).where(user_account.c.id == audit_entry.c.actor_id)
    is_person = audit_entry.c.actor_kind == "person"
    return sa.case(
        (is_person, sa.func.coalesce(person.scalar_subquery(), "")), else_=audit_entry.c.actor_name
    )


def write_entry(connection: Connection, entry: Entry, now: datetime) -> None:
    """Add an entry, in the transaction of what it tells of."""
    name = "" if entry.actor.kind == "person" else name_actor(entry.actor)
    connection.execute(audit_entry.insert().values(make_row(entry, name, now)))


def write_entries(connection: Connection, entries: Sequence[Entry], now: datetime) -> None:
    """Add entries of what the service did, all with one statement."""
    if entries:
        connection.execute(
            audit_entry.insert(), [make_row(entry, NAMES[entry.actor], now) for entry in entries]
        )


def make_row(entry: Entry, actor_name: Any, now: datetime) -> dict[str, Any]:
    """The row of an entry, for who writes many rows at once."""
    return {
        "id": new_id(),
        "organisation_id": entry.organisation_id,
        "at": now,
        "actor_kind": entry.actor.kind,
        "actor_id": entry.actor.id,
        "actor_name": actor_name,
        "action": entry.action,
        "summary": entry.summary,
        "object_kind": entry.object_kind,
        "object_id": entry.object_id,
        "object_name": entry.object_name,
        "request_id": entry.request_id[:MAX_TEXT],
        "details": entry.details,
    }


@dataclass(frozen=True)
class Change:
    """A call that may change something, or reads what is to be accounted for, as the audit log will name it
    once it has."""

    caller: Caller
    action: str
    """The id of the operation."""
    summary: str
    object_kind: str
    path_ids: Mapping[str, str]
    """The parameters of the path."""
    fields: Sequence[str]
    """The names of the body's fields."""
    request_id: str
    size: int = 0
    """The bytes of text that are written by it; 0 where they do not count."""

    def record(self, context: Context, response: Response) -> None:
        """Write the entry of a change that was made. A response that refuses has changed nothing. Raises
        ApiProblem 409 where the organisation has no room for what was written."""
        if response.status_code >= 300:
            return
        answer = _read_object(bytes(getattr(response, "body", b"")))
        object_id, object_name = self._find_object(answer)
        made = _text(answer.get("id"))
        details = {
            "ids": dict(self.path_ids),
            "fields": list(self.fields),
            # Of what belongs to the object: what becomes of it later tells by it who asked.
            "made": None if made == object_id else made,
        }
        entry = Entry(
            organisation_id=self.caller.organisation_id,
            actor=read_actor(self.caller),
            action=self.action,
            summary=self.summary,
            object_kind=self.object_kind,
            object_id=object_id,
            object_name=None if self.object_kind == "member" else object_name,
            request_id=self.request_id,
            details={key: value for key, value in details.items() if value},
        )
        with context.database.writing() as connection:
            if self.size:
                count_written(connection, context.settings, self.caller.organisation_id, self.size)
            write_entry(connection, entry, context.clock())

    def _find_object(self, answer: Mapping[str, Any]) -> tuple[str | None, str | None]:
        """The id and name of what was changed: of the path, else of the record in the response."""
        own = f"{self.object_kind}Id"
        object_id = self.path_ids.get(own) or answer.get(own) or answer.get("id")
        object_name = answer.get("name")
        return _text(object_id), _text(object_name)


def _text(value: Any) -> str | None:
    return value[:MAX_TEXT] if isinstance(value, str) else None


def _read_object(body: bytes) -> dict[str, Any]:
    try:
        value = json.loads(body)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}  # pyright: ignore[reportUnknownVariableType]


def read_field_names(body: bytes) -> list[str]:
    """The names of the fields of a JSON body, at most twenty."""
    return [name[:60] for name in sorted(_read_object(body))[:20]]
