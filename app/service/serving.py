"""Run the service in its HTTP server, uvicorn."""

from starlette.types import ASGIApp

from app.http_server.serving import run_server
from app.service.gc_tuning import freeze_startup_objects
from app.service.main import create_service
from app.settings import Settings

DRAIN_SECONDS = 15


def serve_service(settings: Settings, host: str, port: int) -> None:
    """Serve until SIGINT or SIGTERM; then requests in flight are finished."""
    serve(create_service(settings), host, port)


def serve(app: ASGIApp, host: str, port: int) -> None:
    """Serve any application in the way the service is served."""
    freeze_startup_objects()
    run_server(app, host, port, drain_seconds=DRAIN_SECONDS, proxy_headers=False, ws="none")
