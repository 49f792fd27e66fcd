"""The route that says how many bytes an organisation stores."""

from typing import get_args

from fastapi import APIRouter
from starlette.responses import Response

from app.contract.access import ByteKind, StoredBytes, Usage
from app.service.access.guard import CallerDep, GuardedRoute
from app.service.access.quotas import read_byte_limit, sum_bytes
from app.service.http.dependencies import ContextDep
from app.service.http.operations import extension
from app.service.http.responses import NO_STORE, json_response

router = APIRouter(prefix="/v1/usage", tags=["Other"], route_class=GuardedRoute)


@router.get("", **extension("usage.read", "Read how many bytes are stored", Usage))
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
