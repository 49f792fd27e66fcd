"""Read the audit log: pages of it, each from the end of an index, and whether what an entry names is still
there."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.audit import Actor, AuditedObject, AuditEntry, AuditFilter, AuditQuery
from app.service.database.dialect import existing_values
from app.service.database.tables import (
    agreement,
    audit_entry,
    audit_link,
    data_import,
    file,
    negotiation,
    product,
    requirement,
    scope,
    user_account,
    webhook,
)
from app.service.http.problems import bad_request

READABLE: dict[str, tuple[sa.Table, str]] = {
    "agreement": (agreement, "/v1/agreements/"),
    "file": (file, "/v1/files/"),
    "import": (data_import, "/v1/imports/"),
    "negotiation": (negotiation, "/v1/negotiation/"),
    "product": (product, "/v1/catalog/products/"),
    "requirement": (requirement, "/v1/requirements/"),
    "scope": (scope, "/v1/scope/"),
    "webhook": (webhook, "/v1/webhooks/"),
}
"""The kinds of things that can be read by an id, with their rows and where they are read."""

COLUMNS = audit_entry.c


def load_entries(
    connection: Connection, organisation_id: str, query: AuditQuery, limit: int
) -> tuple[Sequence[AuditEntry], str | None]:
    """Load at most `limit` entries, the newest first, and the id of the last where older ones follow. Raises
    ApiProblem 400 where there is no entry of the id that they are to be older than."""
    before = query.get("before")
    own = audit_entry.c.organisation_id == organisation_id
    conditions = [own, *_find_conditions(query)]
    if before is not None:
        at = connection.scalar(sa.select(COLUMNS.at).where(own, COLUMNS.id == before))
        if at is None:
            raise bad_request("before", "is no entry of the audit log")
        place = sa.tuple_(sa.literal(at, COLUMNS.at.type), sa.literal(before, COLUMNS.id.type))
        conditions.append(sa.tuple_(COLUMNS.at, COLUMNS.id) < place)
    rows = connection.execute(
        sa.select(audit_entry)
        .where(*conditions)
        .order_by(COLUMNS.at.desc(), COLUMNS.id.desc())
        .limit(limit + 1)
    ).all()
    shown = rows[:limit]
    there = _find_existing(connection, shown)
    names = _load_names(connection, shown)
    last = shown[-1].id if len(rows) > limit else None
    return [_build_entry(row, there, names) for row in shown], last


def follow_entries(
    connection: Connection, organisation_id: str, query: AuditFilter, after: int, limit: int
) -> Sequence[AuditEntry]:
    """Load at most `limit` entries with a number above `after`, in the order of their numbers."""
    rows = connection.execute(
        sa.select(audit_entry, audit_link.c.number, audit_link.c.hash)
        .join(audit_link, audit_link.c.entry_id == COLUMNS.id)
        .where(audit_link.c.organisation_id == organisation_id, audit_link.c.number > after)
        .where(*_find_conditions(query))
        .order_by(audit_link.c.number)
        .limit(limit)
    ).all()
    there, names = _find_existing(connection, rows), _load_names(connection, rows)
    return [_build_entry(row, there, names, number=row.number, hash=row.hash) for row in rows]


def _find_conditions(query: AuditFilter) -> Iterator[sa.ColumnElement[bool]]:
    for name in ("actor_id", "actor_kind", "action", "object_kind", "object_id"):
        value = query.get(name)
        if value is not None:
            yield COLUMNS[name] == value
    if query.get("actor_kind") in ("command", "service"):
        yield COLUMNS.actor_id == ""  # they have none, and there is an index on it
    if since := query.get("since"):
        yield COLUMNS.at >= since
    if until := query.get("until"):
        yield COLUMNS.at < until


def _find_existing(connection: Connection, rows: Sequence[sa.Row[Any]]) -> set[str]:
    """Those of the things that entries name which can still be read."""
    by_kind: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        if row.object_id is not None and row.object_kind in READABLE:
            by_kind[row.object_kind].add(row.object_id)
    there: set[str] = set()
    for kind, ids in by_kind.items():
        there.update(existing_values(connection, READABLE[kind][0].c.id, sorted(ids)))
    return there


def _load_names(connection: Connection, rows: Sequence[sa.Row[Any]]) -> dict[str, str]:
    """The names by the ids of the people whom entries name."""
    ids = {row.actor_id for row in rows if row.actor_kind == "person"}
    ids |= {row.object_id for row in rows if row.object_kind == "member"}
    ids |= {row.details["askedBy"]["id"] for row in rows if "askedBy" in row.details}
    people = sa.select(user_account.c.id, user_account.c.name).where(user_account.c.id.in_(ids))
    return {row.id: row.name for row in connection.execute(people)}


def _build_entry(row: sa.Row[Any], there: set[str], names: Mapping[str, str], **link: Any) -> AuditEntry:
    asked = row.details.get("askedBy")
    if asked and asked["id"] in names:
        asked = {**asked, "name": names[asked["id"]]}
    object_name = names.get(row.object_id or "") if row.object_kind == "member" else row.object_name
    path = READABLE[row.object_kind][1] + row.object_id if row.object_id in there else None
    return AuditEntry(
        id=row.id,
        at=row.at,
        actor=_build_actor(row.actor_kind, row.actor_id, names.get(row.actor_id, row.actor_name)),
        asked_by=_build_actor(**asked) if asked else None,
        action=row.action,
        summary=row.summary,
        object=AuditedObject(kind=row.object_kind, id=row.object_id, name=object_name, path=path),
        fields=row.details.get("fields", []),
        request_id=row.request_id,
        **link,
    )


def _build_actor(kind: str, id: str, name: str) -> Actor:
    return Actor(kind=kind, id=id or None, name=name)
