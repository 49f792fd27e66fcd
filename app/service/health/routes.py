"""Health and the machine-readable description: neither needs a key."""

from datetime import timedelta

import sqlalchemy as sa
from fastapi import APIRouter, Request
from sqlalchemy.exc import SQLAlchemyError
from starlette.responses import JSONResponse, Response

from app import __version__
from app.contract.health import HealthReport, ServiceHealth
from app.service.context import Context
from app.service.database.tables.workers import worker
from app.service.http.dependencies import ContextDep
from app.service.http.responses import NO_STORE, json_response

router = APIRouter(prefix="/v1", tags=["Other"])

WORKER_SILENT_AFTER = timedelta(seconds=15)


@router.get(
    "/health",
    response_model=HealthReport,
    responses={503: {"description": "A part that nothing works without is down.", "model": HealthReport}},
)
def health(context: ContextDep) -> Response:
    """Whether the deployment can do its work; 503 when it cannot."""
    parts = [_database(context), _files(context)]
    parts.append(
        _worker(context) if parts[0].status == "ok" else ServiceHealth(name="worker", status="error")
    )
    statuses = {part.status for part in parts[:2]}
    worst = "error" if "error" in statuses else "ok" if parts[2].status == "ok" else "degraded"
    report = HealthReport(status=worst, timestamp=context.clock(), version=__version__, services=parts)
    return json_response(report, 503 if worst == "error" else 200, headers=NO_STORE)


@router.get("/openapi", response_class=JSONResponse, responses={200: {"description": "OpenAPI 3.1."}})
def openapi(request: Request) -> Response:
    """This description."""
    return JSONResponse(request.app.openapi())


def _database(context: Context) -> ServiceHealth:
    try:
        with context.database.reading() as connection:
            connection.execute(sa.text("SELECT 1"))
    except SQLAlchemyError:
        return ServiceHealth(name="database", status="error")
    return ServiceHealth(name="database", status="ok")


def _files(context: Context) -> ServiceHealth:
    return ServiceHealth(name="files", status="ok" if context.files.is_writable() else "error")


def _worker(context: Context) -> ServiceHealth:
    """Degraded when no worker has been seen lately: documents and deliveries wait."""
    with context.database.reading() as connection:
        seen = connection.scalar(sa.select(sa.func.max(worker.c.seen_at)))
    alive = seen is not None and context.clock() - seen < WORKER_SILENT_AFTER
    return ServiceHealth(name="worker", status="ok" if alive else "degraded")
