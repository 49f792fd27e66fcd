"""The service's server."""

import uvicorn
from starlette.types import ASGIApp

from app.service.gc_tuning import freeze_startup_objects
from app.service.main import create_service
from app.settings import Settings

KEEP_ALIVE_SECONDS = 75
DRAIN_SECONDS = 15


def serve_service(settings: Settings, host: str, port: int) -> None:
    """Serves until SIGINT or SIGTERM, then lets requests in flight finish."""
    serve(create_service(settings), host, port)


def serve(app: ASGIApp, host: str, port: int) -> None:
    """Serves any application as the service is served."""
    freeze_startup_objects()
    uvicorn.run(
        app,
        host=host,
        port=port,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=DRAIN_SECONDS,
    )
