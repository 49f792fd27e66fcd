"""The routes of people and API keys, of the audit log, and of the calls of agents' tools: whoever calls as an
agent records these, admins and owners see all."""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import Annotated, Any

import sqlalchemy as sa
from fastapi import APIRouter, Depends, Path
from sqlalchemy import Connection
from starlette.responses import Response

from app.contract.access import has_role
from app.contract.agent_calls import (
    AGENT_CALL_DAYS,
    MAX_AGENT_CALLS,
    AgentCall,
    AgentCallPage,
    AgentToolCount,
    NewAgentCall,
)
from app.contract.audit import Actor, AuditEntry, AuditListQuery, AuditPage, AuditQuery
from app.contract.page import DEFAULT_LIMIT, ListPage, PageRequest, Pagination
from app.contract.people import (
    MAX_PERSONAL_RECORDS,
    ApiKey,
    EndedSessions,
    ErasedPerson,
    Member,
    NewKey,
    PersonalData,
    RevokedKey,
)
from app.contract.values import Id, wire_instant
from app.service.access.audit import name_actor, read_actor
from app.service.access.audit_log import follow_entries, load_entries
from app.service.access.caller import Caller
from app.service.access.guard import CallerDep, GuardedRoute, records_only
from app.service.access.keys import HINT_LENGTH, add_key
from app.service.access.people_store import (
    end_member_sessions,
    list_members,
    list_own_keys,
    require_room_for_key,
    revoke_own_key,
)
from app.service.access.personal_data import (
    Person,
    WorksElsewhere,
    erase,
    find_person,
    is_known_to,
    list_records,
)
from app.service.database.tables import agent_call, membership
from app.service.database.visibility import owned_by
from app.service.http.dependencies import ContextDep
from app.service.http.operations import extension
from app.service.http.problems import ApiProblem, bad_request, not_found
from app.service.http.query_parameters import Limit, PageDep, page_response, query_parameters
from app.service.http.responses import (
    NO_STORE,
    created_response,
    describe_download,
    download_response,
    json_response,
)
from app.service.ids import new_id
from app.service.table_files.cells import escape_text
from app.service.table_files.writing import CSV_TYPE, Row, write_csv

router = APIRouter(prefix="/v1", tags=["People"], route_class=GuardedRoute)
audit_router = APIRouter(prefix="/v1", tags=["People"], route_class=GuardedRoute)
agent_calls_router = APIRouter(prefix="/v1/agents", tags=["People"], route_class=GuardedRoute)

KeyId = Annotated[Id, Path(alias="keyId")]
MemberId = Annotated[Id, Path(alias="memberId")]


@router.get("/keys", **extension("keys.list", "List API keys", ListPage[ApiKey]))
def keys(context: ContextDep, caller: CallerDep, page: PageDep) -> Response:
    """List the organisation's keys, those in use before those that were revoked or have expired, without the
    keys themselves. Takes the role admin."""
    with context.database.reading() as connection:
        total, found = list_own_keys(connection, caller, page, context.clock())
    return page_response(found, total, page)


@router.post("/keys", **extension("keys.create", "Make an API key", ApiKey, status_code=201))
def create(body: NewKey, context: ContextDep, caller: CallerDep) -> Response:
    """Make a key of the organisation. Only this answer contains it; the service keeps a digest. Takes the
    role admin, and a key gets at most the role of who makes it. One that works from some networks alone is
    refused elsewhere with 403; of a session that began with it, the address is the dashboard's."""
    if not has_role(caller.role, body.role):
        raise ApiProblem(403, f"The role {body.role} is above yours, {caller.role}.")
    now = context.clock()
    if body.expires_at is not None and body.expires_at <= now:
        raise bad_request("/expiresAt", "must be later than now")
    with context.database.writing() as connection:
        require_room_for_key(connection, caller.organisation_id, now)
        key_id, key = add_key(
            connection,
            organisation_id=caller.organisation_id,
            name=body.name,
            role=body.role,
            now=now,
            expires_at=body.expires_at,
            networks=body.networks or (),
        )
    made = ApiKey(
        id=key_id,
        name=body.name,
        hint=key[:HINT_LENGTH],
        role=body.role,
        created_at=now,
        expires_at=body.expires_at,
        networks=[*body.networks] if body.networks else None,
        key=key,
    )
    return created_response(made, f"/v1/keys/{key_id}", headers=NO_STORE)


@router.delete("/keys/{keyId}", **extension("keys.revoke", "Revoke an API key", RevokedKey, 404, 409))
def revoke(key_id: KeyId, context: ContextDep, caller: CallerDep) -> Response:
    """Revoke a key: calls with it, and sessions that began with it, are refused within a second. The last
    access of an owner is not revoked (409). Takes the role admin, and at least the role of the key."""
    with context.database.writing() as connection:
        name = revoke_own_key(
            connection,
            caller.organisation_id,
            key_id,
            caller_role=caller.role,
            people_sign_in=context.provider is not None,
            now=context.clock(),
        )
    return json_response(RevokedKey(id=key_id, name=name))


@router.get("/members", **extension("members.list", "List the people of the organisation", ListPage[Member]))
def members(context: ContextDep, caller: CallerDep, page: PageDep) -> Response:
    """List the people who sign in with the identity provider, by their names. Their roles come from their
    groups there at each sign-in, so they are shown here and changed there. Takes the role admin."""
    with context.database.reading() as connection:
        total, found = list_members(connection, caller.organisation_id, page, context.clock())
    return page_response(found, total, page)


@router.delete(
    "/members/{memberId}/sessions",
    **extension("members.signOut", "Sign a person out everywhere", EndedSessions, 404),
)
def sign_out(member_id: MemberId, context: ContextDep, caller: CallerDep) -> Response:
    """End all sessions of a person in the organisation. They may sign in again while the identity provider
    lets them, and its access tokens hold until they expire. Takes the role admin."""
    with context.database.writing() as connection:
        ended = end_member_sessions(connection, caller.organisation_id, member_id)
    return json_response(ended)


@router.get(
    "/members/{memberId}/data",
    **extension("members.export", "Read what is on record of a person", PersonalData, 404),
)
def export(member_id: MemberId, context: ContextDep, caller: CallerDep) -> Response:
    """Return all that is on record of a person in the organisation: their account, what they did, and each
    place that names them. Documents and imported files are not read. Takes the role admin."""
    with context.database.reading() as connection:
        person = _find_own(connection, caller, member_id)
        found = list(list_records(connection, person, caller.organisation_id))
    data = PersonalData(
        id=member_id,
        name=person.name or "",
        email=person.email,
        records=found[:MAX_PERSONAL_RECORDS],
        left_out=max(0, len(found) - MAX_PERSONAL_RECORDS),
    )
    return json_response(data, headers=NO_STORE)


@router.post(
    "/members/{memberId}/erase", **extension("members.erase", "Erase a person", ErasedPerson, 404, 409)
)
def erase_person(member_id: MemberId, context: ContextDep, caller: CallerDep) -> Response:
    """Replace a person by a pseudonym everywhere in the organisation, and end their access: nothing brings it
    back but a backup. Nobody erases themselves, and who works in several organisations is erased by the
    operator (409). Takes the role admin, and at least the role of the person."""
    if caller.user_id == member_id:
        raise ApiProblem(409, "You cannot erase yourself; another admin can.")
    with context.database.writing() as connection:
        person = _find_own(connection, caller, member_id)
        role = connection.scalar(
            sa.select(membership.c.role).where(
                owned_by(membership.c, caller.organisation_id), membership.c.user_id == member_id
            )
        )
        if role is not None and not has_role(caller.role, role):
            raise ApiProblem(403, f"This person has the role {role}, which is above yours, {caller.role}.")
        try:
            name = erase(connection, person, caller.organisation_id)
        except WorksElsewhere:
            raise ApiProblem(409, "Only the operator can erase this person (parley people erase).") from None
    return json_response(ErasedPerson(id=member_id, name=name))


def _find_own(connection: Connection, caller: Caller, member_id: str) -> Person:
    """The person, who works or worked in the caller's organisation. Raises ApiProblem 404."""
    person = find_person(connection, member_id)
    if person is None or not is_known_to(connection, caller.organisation_id, member_id):
        raise not_found("member")
    return person


MOST_IN_A_FILE = 10_000
HEADINGS = (
    *("at", "actor_kind", "actor_id", "actor_name", "action", "summary"),
    *("object_kind", "object_id", "object_name", "fields", "request_id", "id"),
    *("asked_by_kind", "asked_by_id", "asked_by_name"),
)

QueryDep = Annotated[AuditQuery, Depends(query_parameters(AuditQuery))]
ListQueryDep = Annotated[AuditListQuery, Depends(query_parameters(AuditListQuery))]


@audit_router.get("/audit", **extension("audit.list", "List who changed what", AuditPage))
def entries(
    context: ContextDep, caller: CallerDep, query: ListQueryDep, limit: Limit = DEFAULT_LIMIT
) -> Response:
    """List the organisation's audit log, the newest entry first. Each change leaves one entry, which is never
    changed or deleted; so does a file, an export or a document of evidence that is read, and what the service
    does by itself in the background. With `after`, a program follows the log: an entry has its number a few
    seconds after its change, and none comes before one that was given out. Takes the role admin."""
    after = query.get("after")
    if after is not None:
        if query.get("before") is not None:
            raise bad_request("after", "must not be given together with before.")
        with context.database.reading() as connection:
            found = follow_entries(connection, caller.organisation_id, query, after, limit)
        last = found[-1].number if found else after
        return json_response(AuditPage(data=[*found], last=last), headers=NO_STORE)
    with context.database.reading() as connection:
        found, following = load_entries(connection, caller.organisation_id, query, limit)
    return json_response(AuditPage(data=[*found], next=following), headers=NO_STORE)


@audit_router.get(
    "/audit.csv",
    **extension("audit.exportCsv", "Download who changed what as CSV", **describe_download(CSV_TYPE)),
)
def csv_file(context: ContextDep, caller: CallerDep, query: QueryDep) -> Response:
    """Return the newest 10,000 entries of the list as a table. For older ones, name the last as `before`."""
    with context.database.reading() as connection:
        found, _ = load_entries(connection, caller.organisation_id, query, MOST_IN_A_FILE)
    return download_response(b"".join(write_csv(_make_rows(found))), "audit.csv", CSV_TYPE)


def _make_rows(found: Iterable[AuditEntry]) -> Iterator[Row]:
    yield HEADINGS
    for one in found:
        texts = (
            *(wire_instant(one.at) if one.at else "", one.actor.kind, one.actor.id, one.actor.name),
            *(one.action, one.summary, one.object.kind, one.object.id, one.object.name),
            *(" ".join(one.fields), one.request_id, one.id),
            *((one.asked_by.kind, one.asked_by.id, one.asked_by.name) if one.asked_by else (None,) * 3),
        )
        yield [escape_text(text) if text else None for text in texts]


@agent_calls_router.get(
    "/calls", **extension("agentCalls.list", "List the calls of agents' tools", AgentCallPage)
)
def calls(context: ContextDep, caller: CallerDep, page: PageDep) -> Response:
    """List the calls that agents made of their tools with the organisation's keys, the newest first: which
    tool, by whom, and how it ended. The newest 1,000 of each key or person are kept for 90 days; what a tool
    was called with and what it answered is not. Takes the role admin."""
    with context.database.reading() as connection:
        found = _list_calls(connection, caller.organisation_id, page)
    return json_response(found, headers=NO_STORE)


@agent_calls_router.post(
    "/calls", **extension("agentCalls.record", "Record a call of an agent's tool", AgentCall, status_code=201)
)
@records_only
def record(body: NewAgentCall, context: ContextDep, caller: CallerDep) -> Response:
    """Put a call of a tool that has just ended on record, as one of this key or person. The doors for agents
    do it by themselves, with keys that only read as well. It is taken up to twice the limit of requests, so
    that a call which the limit refused is on record too."""
    with context.database.writing() as connection:
        recorded = _record_call(connection, caller, body, context.clock())
    return created_response(recorded, "/v1/agents/calls")


_COLUMNS = agent_call.c


def _record_call(connection: Connection, caller: Caller, call: NewAgentCall, now: datetime) -> AgentCall:
    """Store a call that has just ended, and return it. The caller's own oldest goes where they have as many
    as are kept, and those of the organisation that are too old: nobody makes room by recording many."""
    actor, call_id = read_actor(caller), new_id()
    connection.execute(
        agent_call.insert().values(
            id=call_id,
            organisation_id=caller.organisation_id,
            at=now,
            actor_kind=actor.kind,
            actor_id=actor.id,
            actor_name=name_actor(actor),
            tool=call.tool,
            outcome=call.outcome,
            status=call.status,
            seconds=float(call.seconds),
        )
    )
    of_organisation = owned_by(_COLUMNS, caller.organisation_id)
    own = sa.and_(of_organisation, _COLUMNS.actor_kind == actor.kind, _COLUMNS.actor_id == actor.id)
    too_many = sa.select(_COLUMNS.id).where(own).order_by(_COLUMNS.id.desc()).offset(MAX_AGENT_CALLS).limit(1)
    connection.execute(agent_call.delete().where(own, _COLUMNS.id <= too_many.scalar_subquery()))
    too_old = _COLUMNS.at < now - timedelta(days=AGENT_CALL_DAYS)
    connection.execute(agent_call.delete().where(of_organisation, too_old))
    return _build_call(connection.execute(sa.select(agent_call).where(_COLUMNS.id == call_id)).one())


def _list_calls(connection: Connection, organisation_id: str, page: PageRequest) -> AgentCallPage:
    """Return a page of an organisation's calls, the newest first, and how many each tool had."""
    own = owned_by(_COLUMNS, organisation_id)
    rows = connection.execute(
        sa.select(agent_call).where(own).order_by(_COLUMNS.id.desc()).limit(page.limit).offset(page.offset)
    )
    calls = sa.func.count().label("calls")
    counted = connection.execute(
        sa.select(
            _COLUMNS.tool,
            calls,
            sa.func.count().filter(_COLUMNS.outcome != "answered").label("failed"),
            sa.func.max(_COLUMNS.at).label("last_at"),
        )
        .where(own)
        .group_by(_COLUMNS.tool)
        .order_by(calls.desc(), _COLUMNS.tool)
    )
    tools = [AgentToolCount.build_from(row) for row in counted]
    total = sum(one.calls for one in tools)
    return AgentCallPage(
        data=[_build_call(row) for row in rows],
        pagination=Pagination(total=total, limit=page.limit, offset=page.offset),
        tools=tools,
    )


def _build_call(row: sa.Row[Any]) -> AgentCall:
    actor = Actor(kind=row.actor_kind, id=row.actor_id or None, name=row.actor_name)
    return AgentCall.build_from(row, actor=actor, seconds=round(row.seconds, 3))
