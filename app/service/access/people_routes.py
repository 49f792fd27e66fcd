"""The routes of people and API keys, for admins and owners."""

from typing import Annotated

import sqlalchemy as sa
from fastapi import APIRouter, Path
from sqlalchemy import Connection
from starlette.responses import Response

from app.contract.page import ListPage
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
from app.contract.values import Id
from app.service.access.caller import Caller
from app.service.access.guard import CallerDep, GuardedRoute
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
from app.service.access.roles import has_role
from app.service.database.tables import membership
from app.service.database.visibility import owned_by
from app.service.http.dependencies import ContextDep
from app.service.http.operations import extension
from app.service.http.problems import ApiProblem, bad_request, not_found
from app.service.http.query_parameters import PageDep, page_response
from app.service.http.responses import NO_STORE, created_response, json_response

router = APIRouter(prefix="/v1", tags=["People"], route_class=GuardedRoute)

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
