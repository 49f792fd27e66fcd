"""The route that says what a key may do."""

from fastapi import APIRouter
from starlette.responses import Response

from app.contract.access import Access
from app.service.access import keys, people
from app.service.access.capacity import WorkKind, counts_as
from app.service.access.guard import CallerDep, GuardedRoute
from app.service.http.dependencies import ContextDep
from app.service.http.operations import extension
from app.service.http.responses import NO_STORE, json_response

router = APIRouter(prefix="/v1/access", tags=["Other"], route_class=GuardedRoute)


@router.get("", **extension("access.read", "Read what the key may do", Access))
@counts_as(WorkKind.READ)
def read_access(context: ContextDep, caller: CallerDep) -> Response:
    """Returns the name of the API key that the call is made with, or of the person who makes it, the
    organisation, and whether they may only read."""
    with context.database.reading() as connection:
        person = people.read_person_name(connection, caller.user_id) if caller.user_id else None
        access = Access(
            holder_id=caller.key_id,
            key_name=person or keys.read_key_name(connection, caller.key_id),
            person=person,
            organisation=keys.read_organisation_name(connection, caller.organisation_id),
            role=caller.role,
            read_only=caller.role == "reader",
        )
    return json_response(access, headers=NO_STORE)
