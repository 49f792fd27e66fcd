"""Build the service, the routes of all subjects in one ASGI application, and run it in uvicorn."""

import asyncio
import logging
import sys
from collections.abc import AsyncGenerator, Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import cache, partial
from typing import Any

from anyio.to_thread import current_default_thread_limiter
from fastapi import APIRouter, FastAPI
from fastapi.exceptions import RequestValidationError
from pydantic_core import to_json
from sqlalchemy.exc import SQLAlchemyError
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.routing import BaseRoute
from starlette.types import ASGIApp

from app.contract.version import VERSION
from app.http_server.protocol import run_server
from app.service import health, search
from app.service.access import approval_routes, people_routes, sign_in_routes
from app.service.access import routes as access
from app.service.access.capacity import THREADS
from app.service.access.guard import ACCESS_CONTROL, AccessControl
from app.service.agreements import (
    deadline_settings_routes,
    feed_routes,
    file_routes,
    missing_details_routes,
    purchase_routes,
)
from app.service.agreements import routes as agreements
from app.service.agreements.market import routes as agreement_market
from app.service.catalog import routes as catalog
from app.service.catalog.response_cache import RESPONSE_CACHE, ResponseCache
from app.service.comments import routes as comments
from app.service.context import CLOCK_SECONDS, open_context
from app.service.database.clock import Clock
from app.service.database.postgresql import server_timeouts
from app.service.files import routes as files
from app.service.http.conditional_get import CompressionMiddleware, PublishedDocument
from app.service.http.dependencies import CONTEXT
from app.service.http.error_responses import problem_response
from app.service.http.middleware import CrossOriginMiddleware, RequestMiddleware
from app.service.http.openapi import load_description
from app.service.http.routing import RouteTable
from app.service.imports import routes as imports
from app.service.negotiation import renewal_routes, update_routes
from app.service.negotiation import routes as negotiation
from app.service.operation import routes as probes
from app.service.operation.private_server import serve_privately
from app.service.operation.request_metrics import RequestMetricsMiddleware, open_metrics
from app.service.overview import routes as overview
from app.service.pricing import routes as pricing
from app.service.process import freeze_startup_objects
from app.service.reference import routes as reference
from app.service.sample import routes as sample
from app.service.scopes import routes as scopes
from app.service.second_opinion import routes as second_opinion
from app.service.sourcing import routes as sourcing
from app.service.start_checks import require_ready
from app.service.webhooks import inbox
from app.service.webhooks import routes as webhooks
from app.settings import Settings

logger = logging.getLogger("parley.service")

ROUTERS = (
    probes.router,
    health.router,
    reference.router,
    access.router,
    sign_in_routes.session_router,
    sign_in_routes.router,
    people_routes.audit_router,
    people_routes.agent_calls_router,
    people_routes.router,
    access.usage_router,
    approval_routes.router,
    probes.unsubscribe_router,
    catalog.router,
    catalog.uncached_router,
    search.router,
    overview.router,
    files.router,
    scopes.router,
    second_opinion.router,
    pricing.router,
    webhooks.router,
    negotiation.start_router,
    negotiation.router,
    update_routes.router,
    file_routes.router,
    agreements.router,
    agreements.renewals_router,
    agreement_market.router,
    renewal_routes.router,
    deadline_settings_routes.router,
    purchase_routes.router,
    purchase_routes.history_router,
    missing_details_routes.router,
    feed_routes.router,
    feed_routes.reader,
    *comments.ROUTERS,
    sourcing.router,
    imports.router,
    sample.router,
)
"""The routes of all subjects, in the order of the description."""

COUNTS_SECONDS = 1.0


def create_service(
    settings: Settings, clock: Clock | None = None, *, further: Sequence[BaseRoute] = ()
) -> FastAPI:
    """Build the ASGI application. `further` are routes that are no part of the interface: they check their
    callers themselves. When it starts, it raises OutdatedSchema where the database needs a migration."""
    metrics = open_metrics(settings)
    context = open_context(settings, clock, server_timeouts(settings.database_timeout), metrics)
    gate = AccessControl(context)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncGenerator[None]:
        # Calls wait for places of their kind of work, never for a thread.
        current_default_thread_limiter().total_tokens = THREADS
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(THREADS))
        await run_in_threadpool(require_ready, context)
        share_counts = partial(gate.limits.synchronise, context.database)
        jobs = [
            asyncio.create_task(_repeat("sharing the request counts", COUNTS_SECONDS, share_counts)),
            asyncio.create_task(_repeat("reading the clock", CLOCK_SECONDS, context.synchronise_clock)),
        ]
        try:
            with serve_privately(context, settings.metrics_address, asyncio.get_running_loop()):
                yield
        finally:
            for job in jobs:
                job.cancel()
            # One under way still holds a connection, which the pool would no longer close.
            await asyncio.gather(*jobs, return_exceptions=True)
            context.close()

    measured = Middleware(RequestMetricsMiddleware, metrics=metrics)
    app = FastAPI(
        title="Parley",
        version=VERSION,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        strict_content_type=False,
        lifespan=lifespan,
        exception_handlers={HTTPException: _answer_error, RequestValidationError: _answer_error},
        middleware=[
            Middleware(RequestMiddleware, body_limit=settings.max_json),
            *([measured] if settings.metrics_address else []),
            Middleware(CompressionMiddleware),
        ],
    )
    if settings.cors_origins:
        # Outside all others, so that pages can read every refusal.
        app.add_middleware(CrossOriginMiddleware, settings.cors_origins)
    CONTEXT.set(app, context)
    ACCESS_CONTROL.set(app, gate)
    RESPONSE_CACHE.set(app, ResponseCache())
    health.DESCRIPTION.set(app, partial(_publish_description, settings.inbox))
    # As they are: included, FastAPI would make each of them anew for this application, at its first call.
    app.router.routes.append(RouteTable(list_routers(settings.inbox)))
    app.router.routes.extend(further)
    app.openapi = partial(load_description, with_inbox=settings.inbox)
    return app


def list_routers(with_inbox: bool) -> tuple[APIRouter, ...]:
    return (*ROUTERS, inbox.router, inbox.receiver) if with_inbox else ROUTERS


@cache
def _publish_description(with_inbox: bool) -> PublishedDocument:
    return PublishedDocument(to_json(load_description(with_inbox=with_inbox)))


async def _answer_error(request: Any, error: Exception) -> Any:
    return problem_response(request, error)


async def _repeat(name: str, seconds: float, work: Callable[[], None]) -> None:
    while True:
        await asyncio.sleep(seconds)
        try:
            await run_in_threadpool(work)
        except SQLAlchemyError:
            logger.exception("%s failed; trying again", name)


DRAIN_SECONDS = 15
SWITCH_SECONDS = 0.0005
"""How long a thread keeps the interpreter while others wait for it. A call gives it up and takes it again a
dozen times; with Python's five milliseconds one long estimate costs each other call a dozen times as much."""


def serve_service(settings: Settings, host: str, port: int, further: Sequence[BaseRoute] = ()) -> None:
    """Serve, with further routes, until SIGINT or SIGTERM; then requests in flight are finished."""
    serve(create_service(settings, further=further), host, port, settings.cors_origins)


def serve(app: ASGIApp, host: str, port: int, origins: Collection[str] = ()) -> None:
    """Serve any application in the way the service is served."""
    freeze_startup_objects()
    sys.setswitchinterval(SWITCH_SECONDS)
    run_server(app, host, port, drain_seconds=DRAIN_SECONDS, origins=origins, proxy_headers=False, ws="none")
