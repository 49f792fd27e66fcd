"""The routes of the health report and of the OpenAPI description. Neither needs a key."""

import asyncio
from collections.abc import Callable
from datetime import timedelta
from functools import partial

import sqlalchemy as sa
from fastapi import APIRouter, Request
from sqlalchemy.exc import SQLAlchemyError
from starlette.responses import JSONResponse, Response

from app.contract.deployment import HealthReport, ServiceHealth
from app.contract.version import VERSION
from app.service.background.tasks import list_kinds_without_worker
from app.service.context import Context
from app.service.database.tables import worker
from app.service.http.conditional_get import PublishedDocument
from app.service.http.dependencies import ContextDep, StateKey
from app.service.http.operations import NOT_MODIFIED, operation
from app.service.http.responses import NO_STORE, json_response
from app.service.operation.readiness import CHECK_SECONDS, BoundedCheck, check_files

router = APIRouter(prefix="/v1", tags=["Other"])

DESCRIPTION = StateKey[Callable[[], PublishedDocument]]("description")
"""Of the application: builds the OpenAPI description, once in a process."""

WORKER_SILENT_AFTER = timedelta(seconds=15)


@router.get(
    "/health",
    **operation(
        "health.read",
        "Read the state of the service",
        HealthReport,
        responses={503: {"description": "A part that nothing works without is down.", "model": HealthReport}},
    ),
)
async def health(context: ContextDep) -> Response:
    """Return whether the deployment can do its work, with status 503 where it cannot. The answer comes within
    two seconds."""
    check = context.database.memory.get(_DatabaseCheck)
    rows, files = await asyncio.gather(
        check.result(partial(check_database, context), CHECK_SECONDS), check_files(context)
    )
    database, worker_status = rows or ("error", "error")
    worst = "error" if "error" in {database, files} else worker_status
    parts = [
        ServiceHealth(name="database", status=database),
        ServiceHealth(name="files", status=files),
        ServiceHealth(name="worker", status=worker_status),
        ServiceHealth(name="document sandbox", status=_check_sandbox(context)),
    ]
    report = HealthReport(status=worst, timestamp=context.clock(), version=VERSION, services=parts)
    return json_response(report, 503 if worst == "error" else 200, headers=NO_STORE)


@router.get(
    "/openapi",
    **operation(
        "openapi.read",
        "Read this description",
        response_class=JSONResponse,
        responses={200: {"description": "OpenAPI 3.1."}} | NOT_MODIFIED,
    ),
)
def openapi(request: Request) -> Response:
    """Return this description."""
    return DESCRIPTION.get(request.app)().respond(request)


class _DatabaseCheck(BoundedCheck[tuple[str, str]]):
    """Of the database and the worker, one for each database of a process."""


def check_database(context: Context) -> tuple[str, str]:
    """Return the status of the database and that of the worker. The latter is degraded where no worker has
    been active lately, because documents and deliveries wait, and where tasks wait that none of them can
    do."""
    try:
        with context.database.reading() as connection:
            seen = connection.scalar(sa.select(sa.func.max(worker.c.seen_at)))
            left = list_kinds_without_worker(connection, context.clock())
    except SQLAlchemyError:
        return "error", "error"
    alive = seen is not None and context.clock() - seen < WORKER_SILENT_AFTER
    return "ok", "ok" if alive and not left else "degraded"


def _check_sandbox(context: Context) -> str:
    """Degraded where the system lets documents be read with less isolation; nothing waits for it."""
    return "ok" if context.readers.isolation.complete else "degraded"
