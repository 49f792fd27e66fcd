"""Measures each request of the service."""

import time
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.service.metrics import Metrics


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
