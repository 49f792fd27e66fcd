"""What comments are written on: the scopes, negotiations and agreements of an organisation."""

from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.comments import CommentedKind
from app.service.access.quotas import lock_organisation
from app.service.database.tables.agreements import agreement
from app.service.database.tables.negotiation import negotiation
from app.service.database.tables.scopes import scope
from app.service.database.visibility import owned_by
from app.service.http.problems import not_found

TABLES: dict[CommentedKind, sa.Table] = {"scope": scope, "negotiation": negotiation, "agreement": agreement}


@dataclass(frozen=True, slots=True)
class CommentedObject:
    """A scope, a negotiation or an agreement of an organisation."""

    organisation_id: str
    kind: CommentedKind
    id: str


def require_object(
    connection: Connection, organisation_id: str, kind: CommentedKind, object_id: str, *, to_change: bool
) -> CommentedObject:
    """Return the organisation's object, which stays there until the end of the transaction where it is
    `to_change`. Raises ApiProblem 404 where there is none of that id."""
    if to_change:
        lock_organisation(connection, organisation_id)
    table = TABLES[kind]
    found = sa.select(table.c.id).where(table.c.id == object_id, owned_by(table.c, organisation_id))
    if connection.scalar(found) is None:
        raise not_found(kind)
    return CommentedObject(organisation_id, kind, object_id)
