"""The probes of the service at its own port, for load balancers and Kubernetes. They need no key."""

from fastapi import APIRouter
from starlette.responses import JSONResponse, Response

from app.service.http.dependencies import ContextDep
from app.service.http.responses import NO_STORE
from app.service.operation.readiness import check_readiness, is_ready

router = APIRouter(include_in_schema=False)


@router.get("/livez")
async def live() -> Response:
    """Answer while the process does: one that does not is to be started again."""
    return JSONResponse({"status": "ok"}, headers=NO_STORE)


@router.get("/readyz")
async def ready(context: ContextDep) -> Response:
    """Return whether callers may be sent here, with status 503 where they may not."""
    parts = await check_readiness(context)
    return JSONResponse(parts, 200 if is_ready(parts) else 503, headers=NO_STORE)
