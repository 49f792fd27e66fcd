"""Measures each request of the service."""

import time
from typing import Any

from sqlalchemy.exc import SQLAlchemyError
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.service.context import Context, Metrics
from app.service.operation.queue_figures import QueueFigures, load_queue_figures
from app.settings import Settings


class RequestMetricsMiddleware:
    """Observes how long each request took until its response ended, by the template of its route; requests of
    no route share an empty one."""

    def __init__(self, app: ASGIApp, *, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        status = 500
        began = time.perf_counter()

        async def note_status(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, note_status)
        finally:
            route: Any = scope.get("route")
            path = getattr(route, "path_format", "")
            self._metrics.observe_request(
                route=path,
                method=scope["method"],
                scheme=scope.get("scheme", "http"),
                status=status,
                seconds=time.perf_counter() - began,
            )


def open_metrics(settings: Settings) -> Metrics:
    """The metrics of a process with a private address, else some that count nothing."""
    if settings.metrics_address is None:
        return Metrics()
    from app.service.operation.prometheus import PrometheusMetrics

    return PrometheusMetrics()


def watch_queues(context: Context) -> None:
    """Show what waits in the database among the metrics of a process, where it has any."""
    if context.settings.metrics_address is None:
        return
    from app.service.operation.prometheus import PrometheusMetrics

    if isinstance(context.metrics, PrometheusMetrics):
        context.metrics.watch_queues(lambda: _load(context))


def _load(context: Context) -> QueueFigures | None:
    try:
        with context.database.reading() as connection:
            return load_queue_figures(connection, context.clock())
    except SQLAlchemyError:
        return None
