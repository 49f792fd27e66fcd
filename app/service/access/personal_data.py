"""What is on record of a person, and its erasure: their account, and every place that may name them by id,
name or address. What files and documents say is not among it, nor events, which go after some days."""

import json
import re
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

import sqlalchemy as sa
from sqlalchemy import ColumnElement, Connection, Table

from app.contract.people import PersonalRecord
from app.service.access.people import find_organisations
from app.service.database.letters import TO_COLLEAGUES
from app.service.database.tables import (
    audit_entry,
    identity,
    letter,
    mail_recipient,
    membership,
    metadata,
    user_account,
    user_session,
)
from app.service.database.visibility import owned_by
from app.service.values.folding import fold_text

PLACES = (
    *("agent_call", "agreement", "agreement_decision", "api_key", "approval", "calendar_feed"),
    *(
        "comment",
        "data_import",
        "escalation",
        "executive_summary",
        "file",
        "letter",
        "mail_recipient",
        "negotiation",
    ),
    *("negotiation_entry", "negotiation_timer", "remembered_alignment", "requirement"),
    *("same_purchase", "scenario", "scope", "scope_document", "search_entry", "sourcing_quote"),
)
"""The tables that may name a person."""
TO_THEM = (
    (mail_recipient, mail_recipient.c.address, sa.true()),
    (letter, letter.c.recipient, TO_COLLEAGUES),
)
"""What is only for whom it is addressed to: it is removed with them."""
_HIDDEN = re.compile("digest|hash|token|secret")
"""Columns that tell nobody anything, and are in no export."""
_KEY_LENGTH = 36


@dataclass(frozen=True)
class Person:
    """Somebody by their account, or by an address alone."""

    id: str | None
    name: str | None
    email: str | None

    @property
    def words(self) -> list[str]:
        """By what a row names them."""
        return [one for one in (self.id, self.email, self.name) if one]


class WorksElsewhere(Exception):
    """The person has an account in another organisation too: only the operator erases them."""


def find_person(connection: Connection, user_id: str) -> Person | None:
    row = connection.execute(sa.select(user_account).where(user_account.c.id == user_id)).first()
    return None if row is None else Person(row.id, row.name, row.email)


def is_known_to(connection: Connection, organisation_id: str, user_id: str) -> bool:
    """Whether somebody works in an organisation, or did something there."""
    return organisation_id in find_organisations(connection, user_id)


def list_records(
    connection: Connection, person: Person, organisation_id: str | None
) -> Iterator[PersonalRecord]:
    """Yield every row that names the person, of an organisation or, with None, of all."""
    if person.id is not None:
        of_person = {
            user_account: user_account.c.id == person.id,
            identity: identity.c.user_id == person.id,
            membership: membership.c.user_id == person.id,
            user_session: user_session.c.user_id == person.id,
            audit_entry: sa.or_(audit_entry.c.actor_id == person.id, audit_entry.c.object_id == person.id),
        }
        for table, condition in of_person.items():
            yield from _read_rows(connection, table, condition, organisation_id)
    for table in map(metadata.tables.__getitem__, PLACES):
        yield from _read_rows(connection, table, _names(table, person.words), organisation_id)


def erase(connection: Connection, person: Person, organisation_id: str | None) -> str:
    """Replace a person by a pseudonym everywhere, end their access, and return it. Nobody finds out from the
    pseudonym who it was. Raises WorksElsewhere."""
    mark = secrets.token_hex(4)
    pseudonym = f"Erased person {mark}"
    if person.id is not None:
        others = membership.c.user_id == person.id, membership.c.organisation_id != organisation_id
        if organisation_id is not None and connection.scalar(sa.select(sa.exists().where(*others))):
            raise WorksElsewhere
        for table in (membership, user_session, identity):
            connection.execute(table.delete().where(table.c.user_id == person.id))
        gone = {"name": pseudonym, "email": None}
        connection.execute(user_account.update().where(user_account.c.id == person.id).values(gone))
    if person.email is not None:
        for table, column, condition in TO_THEM:
            to_them = sa.func.lower(column) == person.email.lower(), condition
            connection.execute(table.delete().where(*to_them, _of_organisation(table, organisation_id)))
    replacing = _Replacing(person, pseudonym, f"erased-{mark}@erased.invalid")
    alone = _has_no_namesake(connection, person)
    words = person.words if alone else [one for one in (person.id, person.email) if one]
    for table in map(metadata.tables.__getitem__, PLACES):
        _replace_in(
            connection,
            table,
            sa.and_(_names(table, words), _of_organisation(table, organisation_id)),
            replacing,
        )
    return pseudonym


def _has_no_namesake(connection: Connection, person: Person) -> bool:
    """Whether the name stands for nobody else who signs in: else it is replaced only beside id or address."""
    others = sa.exists().where(user_account.c.name == person.name, user_account.c.id != (person.id or ""))
    return not connection.scalar(sa.select(others))


class _Replacing:
    """Replaces a person in texts and JSON."""

    def __init__(self, person: Person, name: str, email: str) -> None:
        pairs = [(person.email, email), (person.name, name)]
        self._whole = {one.lower(): by for one, by in pairs if one}
        # A single word, such as a first name, may be anything inside a text.
        inside = [(one, by) for one, by in pairs if one and ("@" in one or " " in one)]
        inside += [(fold_text(one), fold_text(by)) for one, by in inside if fold_text(one) != one.lower()]
        self._inside = [
            (re.compile(rf"(?<!\w){re.escape(one)}(?!\w)", re.IGNORECASE), by) for one, by in inside
        ]

    def replace(self, value: Any) -> Any:
        if isinstance(value, dict):
            fields = cast(dict[str, Any], value)
            return {key: self.replace(one) for key, one in fields.items()}
        if isinstance(value, list):
            return [self.replace(one) for one in cast(list[Any], value)]
        if not isinstance(value, str):
            return value
        if value.lower() in self._whole:
            return self._whole[value.lower()]
        for pattern, by in self._inside:
            value = pattern.sub(by, value)
        return value


def _replace_in(
    connection: Connection, table: Table, condition: ColumnElement[bool], replacing: _Replacing
) -> None:
    keys = [*table.primary_key.columns]
    columns = [column for column in _list_texts(table) if not column.primary_key]
    for values in connection.execute(sa.select(*keys, *columns).where(condition)).mappings().all():
        changed = {
            column.name: new
            for column in columns
            if (new := replacing.replace(values[column.name])) != values[column.name]
        }
        if changed:
            is_row = sa.and_(*(key == values[key.name] for key in keys))
            connection.execute(table.update().where(is_row).values(changed))


def _names(table: Table, words: list[str]) -> ColumnElement[bool]:
    """Whether a row holds one of the words: a text as it is, folded, or as JSON has it."""
    ids = [
        column
        for column in table.columns
        if isinstance(column.type, sa.String) and column.type.length == _KEY_LENGTH
    ]
    found: list[ColumnElement[bool]] = []
    for word in words:
        forms = {word.lower(), fold_text(word), json.dumps(word)[1:-1].lower()}
        for column in _list_texts(table):
            text = sa.func.lower(sa.cast(column, sa.Text))
            found += [text.contains(form, autoescape=True) for form in forms]
        found += [column == word for column in ids]
    return sa.or_(sa.false(), *found)


def _list_texts(table: Table) -> list[sa.Column[Any]]:
    return [
        column
        for column in table.columns
        if isinstance(column.type, sa.JSON | sa.Text)
        or (isinstance(column.type, sa.String) and (column.type.length or 0) > _KEY_LENGTH)
    ]


def _of_organisation(table: Table, organisation_id: str | None) -> ColumnElement[bool]:
    """Whether a row is the organisation's: by itself or by what it belongs to."""
    if organisation_id is None or table in (user_account, identity):
        return sa.true()
    if "organisation_id" in table.c:
        return owned_by(table.c, organisation_id)
    key = next(iter(sorted(table.foreign_keys, key=lambda one: one.column.table.name == "file")))
    owner = sa.select(key.column).where(_of_organisation(key.column.table, organisation_id))
    return key.parent.in_(owner)


def _read_rows(
    connection: Connection, table: Table, condition: ColumnElement[bool], organisation_id: str | None
) -> Iterator[PersonalRecord]:
    shown = [
        column
        for column in table.columns
        if not isinstance(column.type, sa.LargeBinary) and not _HIDDEN.search(column.name)
    ]
    query = sa.select(*shown).where(condition, _of_organisation(table, organisation_id))
    for row in connection.execute(query.order_by(*table.primary_key.columns)).mappings():
        content = {str(name): value for name, value in row.items() if value is not None}
        yield PersonalRecord(place=table.name, content=content)
