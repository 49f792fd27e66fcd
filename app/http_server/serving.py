"""Serving an ASGI application within the limits of this package."""

import asyncio
import logging
import sys
from collections.abc import Collection
from contextlib import suppress
from functools import partial
from typing import Any, cast

import uvicorn
from starlette.types import ASGIApp
from uvicorn.config import LOGGING_CONFIG, STARTUP_FAILURE

from app.http_server.connections import ConnectionLimits, ConnectionTable, raise_open_file_limit
from app.http_server.protocol import LimitedHttpProtocol


def run_server(
    app: ASGIApp, host: str, port: int, *, drain_seconds: int, origins: Collection[str] = (), **options: Any
) -> None:
    """Serve until SIGINT or SIGTERM, then let requests in flight finish within `drain_seconds`. Pages of
    `origins` may read the server's own refusals. `options` are uvicorn's. Exits with status 1 when the port
    is taken."""
    configuration = configure_server(
        app,
        raise_open_file_limit(),
        origins=origins,
        host=host,
        port=port,
        log_level="warning",
        timeout_graceful_shutdown=drain_seconds,
        **options,
    )
    server = uvicorn.Server(configuration)
    # After the drain the server raises the signal again; Ctrl-C is no failure.
    with suppress(KeyboardInterrupt):
        server.run()
    if not server.started:
        sys.exit(STARTUP_FAILURE)


def configure_server(
    app: ASGIApp, limits: ConnectionLimits, *, origins: Collection[str] = (), **options: Any
) -> uvicorn.Config:
    """uvicorn's configuration with our protocol. `options` are uvicorn's."""
    protocol = partial(LimitedHttpProtocol, table=ConnectionTable(limits), origins=origins)
    return uvicorn.Config(
        app,
        http=cast(type[asyncio.Protocol], protocol),
        access_log=False,
        server_header=False,
        # Its lines go where those of the process go, once a command has said where.
        log_config=None if logging.getLogger().handlers else LOGGING_CONFIG,
        **options,
    )
