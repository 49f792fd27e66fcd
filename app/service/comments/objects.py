"""What comments are written on: the scopes, negotiations and agreements of an organisation."""

from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.comments import CommentedKind
from app.service.access.quotas import lock_organisation
from app.service.database.tables import agreement, negotiation, scope
from app.service.database.visibility import owned_by
from app.service.http.problems import require

TABLES: dict[CommentedKind, sa.Table] = {"scope": scope, "negotiation": negotiation, "agreement": agreement}
OWNERS: dict[CommentedKind, sa.ColumnElement[Any]] = {
    "scope": scope.c.owners,
    "negotiation": negotiation.c.owners,
    "agreement": agreement.c.owners,
}
"""Where the owners stand, as `contract.owners.Owner` on the wire."""


@dataclass(frozen=True, slots=True)
class CommentedObject:
    """A scope, a negotiation or an agreement of an organisation."""

    organisation_id: str
    kind: CommentedKind
    id: str
    sample: bool


def require_object(
    connection: Connection, organisation_id: str, kind: CommentedKind, object_id: str, *, to_change: bool
) -> CommentedObject:
    """Return the organisation's object, which stays there until the end of the transaction where it is
    `to_change`. Raises ApiProblem 404 where there is none of that id."""
    if to_change:
        lock_organisation(connection, organisation_id)
    table = TABLES[kind]
    found = sa.select(table.c.sample).where(table.c.id == object_id, owned_by(table.c, organisation_id))
    sample = require(connection.scalar(found), kind)
    return CommentedObject(organisation_id, kind, object_id, sample)


def load_owners(connection: Connection, kind: CommentedKind, object_id: str) -> list[dict[str, Any]]:
    """Return the owners as they are stored."""
    return _read(connection, kind, object_id, OWNERS[kind]) or []


def load_title(connection: Connection, kind: CommentedKind, object_id: str) -> str:
    """Return what people call it."""
    if kind == "negotiation":
        supplier: dict[str, str] = _read(connection, kind, object_id, negotiation.c.supplier)
        return f"with {supplier.get('name') or supplier.get('domain') or 'a supplier'}"
    title: str = _read(connection, kind, object_id, scope.c.title if kind == "scope" else agreement.c.name)
    return title or "without a name"


def _read(connection: Connection, kind: CommentedKind, object_id: str, column: sa.ColumnElement[Any]) -> Any:
    return connection.scalar(sa.select(column).where(TABLES[kind].c.id == object_id))
