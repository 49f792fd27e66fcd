"""The list of an organisation's scopes, and what a person changes of one: its name, and whether it is
archived."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, get_args

import sqlalchemy as sa
from sqlalchemy import ColumnElement, Connection

from app.contract.page import PageRequest
from app.contract.scope import DocumentStatus
from app.contract.scope_list import ScopeChange, ScopeQuery
from app.service.database.tables.scopes import scope, scope_document
from app.service.database.visibility import counted
from app.service.scopes.listing import refresh_listing
from app.service.scopes.same_quotes import select_scopes_of_file
from app.service.scopes.store import StoredScope, build_scope, select_scopes
from app.service.text_folding import fold_text


@dataclass(frozen=True, slots=True)
class StoredScopePage:
    """One page of the list: how many scopes match the query, how many of each status match the rest of it,
    and the scopes of the page."""

    total: int
    statuses: dict[str, int]
    scopes: Sequence[StoredScope]


def list_scopes(
    connection: Connection, organisation_id: str, query: ScopeQuery, page: PageRequest
) -> StoredScopePage:
    """Return one page of the matching scopes, newest first."""
    conditions = _build_conditions(organisation_id, query)
    statuses = _count_statuses(connection, conditions)
    status = query.get("status")
    if status is None:
        total = sum(statuses.values())
    elif status in get_args(DocumentStatus):
        conditions.append(_OF_DOCUMENT.where(scope_document.c.status == status).exists())
        total = sum(_count_statuses(connection, conditions).values())
    else:
        conditions.append(scope.c.status == status)
        total = statuses.get(status, 0)
    if page.offset >= total:
        return StoredScopePage(total, statuses, ())
    newest = (scope.c.created_on.desc(), scope.c.id.desc())
    # The ids are found in an index alone; PostgreSQL would else fetch each scope to look at its name. The
    # search ends with the last match.
    most = min(page.limit, total - page.offset)
    chosen = sa.select(scope.c.id).where(*conditions).order_by(*newest).limit(most).offset(page.offset)
    listing = select_scopes().where(scope.c.id.in_(sa.select(chosen.subquery().c.id))).order_by(*newest)
    rows = connection.execute(listing).mappings()
    return StoredScopePage(total, statuses, [build_scope(row) for row in rows])


def change_scope(
    connection: Connection, organisation_id: str, scope_id: str, change: ScopeChange, now: datetime
) -> bool:
    """Give a scope another name or owners, archive it or take it back, in one statement, so that of two
    changes at once neither undoes a part of the other. Return whether the organisation has this scope. One
    that is archived already keeps its date."""
    values: dict[str, Any] = {}
    if "name" in change.model_fields_set:
        values["name"] = change.name
    if "archived" in change.model_fields_set:
        values["archived_at"] = sa.func.coalesce(scope.c.archived_at, now) if change.archived else None
    if "owners" in change.model_fields_set:
        values["owners"] = [one.wire() for one in change.owners or ()] or None
    changed = connection.execute(
        scope.update()
        .where(scope.c.id == scope_id, scope.c.organisation_id == organisation_id)
        .values(**values)
    )
    if changed.rowcount and "name" in values:
        refresh_listing(connection, scope_id)
    return changed.rowcount == 1


_OF_DOCUMENT = (
    sa.select(scope_document.c.scope_id).where(scope_document.c.scope_id == scope.c.id).correlate(scope)
)


def _build_conditions(organisation_id: str, query: ScopeQuery) -> list[ColumnElement[bool]]:
    """Build the conditions of all filters but the status."""
    conditions = [scope.c.organisation_id == organisation_id]
    if source := query.get("source"):
        conditions.append(scope.c.source == source)
    if company_id := query.get("company_id"):
        conditions.append(scope.c.company_id == company_id)
    if part := fold_text(query.get("name") or ""):
        conditions.append(scope.c.search_text.contains(part, autoescape=True))
    if sha256 := query.get("document_sha256"):
        conditions.append(scope.c.id.in_(select_scopes_of_file(organisation_id, sha256)))
    archived = query.get("archived")
    if archived is not None:
        conditions.append(scope.c.archived_at.is_not(None) if archived else scope.c.archived_at.is_(None))
    ids = query.get("ids")
    conditions.append(counted(scope.c, organisation_id) if ids is None else scope.c.id.in_(ids))
    return conditions


def _count_statuses(connection: Connection, conditions: Sequence[ColumnElement[bool]]) -> dict[str, int]:
    counted = (
        sa.select(scope.c.status, sa.func.count().label("total")).where(*conditions).group_by(scope.c.status)
    )
    return {row.status: row.total for row in connection.execute(counted)}
