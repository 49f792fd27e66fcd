"""Run the service in its HTTP server, uvicorn."""

import sys
from collections.abc import Collection, Sequence

from starlette.routing import BaseRoute
from starlette.types import ASGIApp

from app.http_server.protocol import run_server
from app.service.gc_tuning import freeze_startup_objects
from app.service.main import create_service
from app.settings import Settings

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
