"""The routes that say what a key may do, and how many bytes its organisation stores."""

from typing import get_args

from fastapi import APIRouter
from starlette.responses import Response

from app.contract.access import Access, ByteKind, StoredBytes, Usage
from app.service.access import keys, people
from app.service.access.capacity import WorkKind, counts_as
from app.service.access.guard import CallerDep, GuardedRoute
from app.service.access.quotas import read_byte_limit, sum_bytes
from app.service.http.dependencies import ContextDep
from app.service.http.operations import extension
from app.service.http.responses import NO_STORE, json_response

router = APIRouter(prefix="/v1/access", tags=["Other"], route_class=GuardedRoute)
usage_router = APIRouter(prefix="/v1/usage", tags=["Other"], route_class=GuardedRoute)


@router.get("", **extension("access.read", "Read what the key may do", Access))
@counts_as(WorkKind.READ)
def read_access(context: ContextDep, caller: CallerDep) -> Response:
    """Returns the name of the API key that the call is made with, or of the person who makes it, the
    organisation, and whether they may only read."""
    with context.database.reading() as connection:
        name = people.read_caller_name(connection, caller)
        access = Access(
            holder_id=caller.key_id,
            key_name=name,
            person=name if caller.user_id else None,
            organisation=keys.read_organisation_name(connection, caller.organisation_id),
            role=caller.role,
            read_only=caller.role == "reader",
        )
    return json_response(access, headers=NO_STORE)


@usage_router.get("", **extension("usage.read", "Read how many bytes are stored", Usage))
def read_usage(context: ContextDep, caller: CallerDep) -> Response:
    """Return how many bytes the organisation stores of each kind, and how many it may store."""
    with context.database.reading() as connection:
        amounts = [
            StoredBytes(
                kind=kind,
                stored=sum_bytes(connection, kind, caller.organisation_id),
                most=read_byte_limit(context.settings, kind),
            )
            for kind in get_args(ByteKind)
        ]
    return json_response(Usage(bytes=amounts), headers=NO_STORE)
