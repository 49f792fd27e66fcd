"""The calls that wait for a second person: listed, approved and refused."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.access import has_role
from app.contract.approvals import Approval, ApprovalQuery, AskedBy
from app.contract.page import PageRequest
from app.service.access.approvals import COLUMNS, find_people_behind, find_role
from app.service.access.audit import Actor, read_actor
from app.service.access.caller import Caller, EndUser
from app.service.access.roles import RULES
from app.service.context import Context
from app.service.database.rows import read_page
from app.service.database.tables import api_key, approval, user_account
from app.service.database.visibility import owned_by
from app.service.http.problems import ApiProblem, not_found


def list_approvals(
    connection: Connection,
    context: Context,
    caller: Caller,
    query: ApprovalQuery,
    page: PageRequest,
    summaries: Mapping[str, str],
) -> tuple[int, list[Approval]]:
    """Return how many approvals the organisation has, and a page of them, the newest first. `summaries` are
    those of operations by their ids."""
    conditions = [owned_by(COLUMNS, caller.organisation_id), *_find_status(query, context.clock())]
    newest_first = COLUMNS.asked_at.desc(), COLUMNS.id.desc()
    total, rows = read_page(connection, sa.select(approval).where(*conditions).order_by(*newest_first), page)
    return total, build_approvals(connection, context, caller, rows.all(), summaries)


def _find_status(query: ApprovalQuery, now: datetime) -> list[sa.ColumnElement[bool]]:
    status = query.get("status")
    if status == "expired":
        return [COLUMNS.status == "waiting", COLUMNS.expires_at <= now]
    if status == "waiting":
        return [COLUMNS.status == status, COLUMNS.expires_at > now]
    return [] if status is None else [COLUMNS.status == status]


def find_approval(connection: Connection, organisation_id: str, approval_id: str) -> Any:
    """Return the row of an approval. Raises ApiProblem 404."""
    row = connection.execute(
        sa.select(approval).where(owned_by(COLUMNS, organisation_id), COLUMNS.id == approval_id)
    ).first()
    if row is None:
        raise not_found("approval")
    return row


def build_approvals(
    connection: Connection,
    context: Context,
    caller: Caller,
    rows: Sequence[Any],
    summaries: Mapping[str, str],
) -> list[Approval]:
    names = _load_names(connection, rows)
    now = context.clock()
    return [_build(connection, context, caller, row, names, summaries, now) for row in rows]


def _build(
    connection: Connection,
    context: Context,
    caller: Caller,
    row: Any,
    names: Mapping[str, str],
    summaries: Mapping[str, str],
    now: datetime,
) -> Approval:
    status = "expired" if row.status == "waiting" and row.expires_at <= now else row.status
    amount = row.decision.get("amount")
    is_own: bool = row.asked_by == caller.key_id
    body = context.vault.open(row.body) if row.body else None
    may_approve = status == "waiting" and _find_hindrance(connection, caller, row) is None
    return Approval.build_from(
        row,
        summary=summaries.get(row.operation, row.operation),
        name=row.decision["name"],
        amount=None if amount is None else Decimal(amount),
        currency=row.decision.get("currency"),
        details=row.decision.get("details", []),
        status=status,
        asked_by=AskedBy(kind=row.asked_kind, id=row.asked_by, name=names.get(row.asked_by, "")),
        settled_by=AskedBy(kind=row.settled_kind, id=row.settled_by, name=names.get(row.settled_by, ""))
        if row.settled_by
        else None,
        may_approve=may_approve,
        may_refuse=may_approve or (status == "waiting" and is_own),
        request=json.loads(body) if body else None,
    )


def _load_names(connection: Connection, rows: Sequence[Any]) -> dict[str, str]:
    """What those who asked and settled are called now, by their ids."""
    ids = {one for row in rows for one in (row.asked_by, row.settled_by) if one}
    return {
        row.id: row.name
        for table in (user_account, api_key)
        for row in connection.execute(sa.select(table.c.id, table.c.name).where(table.c.id.in_(ids)))
    }


def _find_hindrance(connection: Connection, caller: Caller, row: Any) -> str | None:
    """Why the caller may not approve a call, in a sentence."""
    if caller.user_id is None:
        return "API keys ask and approve nothing: sign in as a person."
    asking = Actor(row.asked_kind, row.asked_by)
    if caller.user_id in find_people_behind(connection, caller.organisation_id, asking):
        made = " with an API key that you made" if asking.kind == "key" else ""
        return f"You asked for it{made}: another person approves it."
    needed = RULES[row.operation].role
    if not has_role(caller.role, needed):
        return f"This takes the role {needed}, and you have the role {caller.role}."
    return None


def require_second_person(connection: Connection, caller: Caller, row: Any, now: datetime) -> None:
    """Raise ApiProblem 403 for a caller who may not approve the call: no person, no member any more, without
    the role that it takes, or who asked for it."""
    hindrance = _find_hindrance(connection, caller, row)
    if hindrance is not None:
        raise ApiProblem(403, hindrance)
    # The caller's role was read up to a second ago.
    found = find_role(connection, caller.organisation_id, read_actor(caller), now)
    if found is None or not has_role(found[0], RULES[row.operation].role):
        raise ApiProblem(403, "You are no member with that role any more.")


def require_refuser(connection: Connection, caller: Caller, row: Any, now: datetime) -> None:
    """Raise ApiProblem 403 for a caller who neither may approve the call nor made it."""
    if row.asked_by != caller.key_id:
        require_second_person(connection, caller, row, now)


def find_asking_caller(connection: Connection, row: Any, now: datetime) -> Caller:
    """Return who asked, as a caller. Raises ApiProblem 409 where they may not make the call any more."""
    actor = Actor(row.asked_kind, row.asked_by)
    found = find_role(connection, row.organisation_id, actor, now)
    if found is None or not has_role(found[0], RULES[row.operation].role):
        raise cannot_be_done("who asked for it may not do it any more.")
    role, sample = found
    return Caller(
        key_id=actor.id,
        organisation_id=row.organisation_id,
        role=role,
        end_user=EndUser(**(row.end_user or dict[str, str]())),
        sample=sample,
        user_id=actor.id if actor.kind == "person" else None,
    )


def cannot_be_done(why: str) -> ApiProblem:
    """409: the call is not carried out as things are now, and goes on to wait."""
    return ApiProblem(
        409,
        f"It cannot be carried out as things are now: {why} It waits on: refuse it, or approve it once that"
        " has changed.",
    )


def settle(
    connection: Connection, caller: Caller, row: Any, status: str, now: datetime, reason: str | None = None
) -> None:
    """Mark an approval as approved or refused: of several who try at once, one does. Raises ApiProblem 409
    where it does not wait any more."""
    actor = read_actor(caller)
    changed = connection.execute(
        approval.update()
        .where(COLUMNS.id == row.id, COLUMNS.status == "waiting", COLUMNS.expires_at > now)
        .values(
            status=status,
            body=None,
            settled_kind=actor.kind,
            settled_by=actor.id,
            settled_at=now,
            reason=reason,
        )
    )
    if changed.rowcount != 1:
        status = connection.execute(sa.select(COLUMNS.status).where(COLUMNS.id == row.id)).scalar_one()
        raise ApiProblem(
            409, "It has expired." if status == "waiting" else f"It was {status} before: nothing was done."
        )
