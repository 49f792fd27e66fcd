"""The dashboard's server: Streamlit with security headers, compression, a session cookie and a drain of
writes.

`serve_dashboard` is what `parley dashboard` and `parley up` run."""

import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from importlib import import_module

import streamlit as st
from starlette.middleware import Middleware
from streamlit.web import bootstrap

from app.dashboard import navigation
from app.dashboard.failure_panel import draw_script_error
from app.dashboard.server import configuration
from app.dashboard.server.inflight_writes import inflight_writes
from app.dashboard.server.middleware import (
    CompressedStatic,
    PageAddresses,
    SecurityHeaders,
    ServerAddress,
    VisitorSockets,
)
from app.dashboard.server.provider_sign_in import ProviderSignIn
from app.dashboard.server.session_cookie import SessionCookies, SignedInOnly
from app.dashboard.signing_in import one_time_link, service_sessions
from app.dashboard.signing_in.sessions import session_store
from app.http_server.protocol import run_server
from app.settings import MEBIBYTE, Settings

DRAIN_SECONDS = 15.0
"""The longest wait for writes at the end: less than `parley up` waits before it kills the process."""

_log = logging.getLogger(__name__)


@asynccontextmanager
async def lifespan(_: st.App) -> AsyncGenerator[None]:
    """Import the modules that would delay the first page by half a second; at the end let writes finish."""
    for module in ("pandas", "plotly.graph_objects", "streamlit.elements.arrow"):
        import_module(module)
    yield
    if not await inflight_writes.wait_until_none(DRAIN_SECONDS):
        _log.warning("stopped with %d writes still under way", inflight_writes.count)
    service_sessions.close_clients()


def create_app(settings: Settings) -> st.App:
    """Return the ASGI application of one process with these settings."""
    link = one_time_link.read_link(settings)
    if link and settings.deployments:
        # A user who signs in by the link of `parley up` works on its service, whatever else may be chosen.
        listed = tuple(dict.fromkeys((settings.public_url, *settings.deployments)))
        settings = settings.model_copy(update={"deployments": listed})
    configuration.set_settings(settings)
    cookies = SessionCookies(session_store(), link, settings.dashboard_url)
    return st.App(
        configuration.DASHBOARD / "main.py",
        lifespan=lifespan,
        on_script_error=draw_script_error,
        routes=[*cookies.routes(), *ProviderSignIn(cookies).routes()],
        # In the order in which they run.
        middleware=[
            Middleware(SecurityHeaders),
            Middleware(SignedInOnly, cookies=cookies, max_upload=settings.max_upload),
            Middleware(VisitorSockets, sessions=cookies.sessions),
            Middleware(
                PageAddresses,
                dashboard_url=settings.dashboard_url,
                names=navigation.list_addresses(),
                moved=navigation.MOVED,
                moved_tabs=navigation.MOVED_TABS,
            ),
            Middleware(ServerAddress, dashboard_url=settings.dashboard_url),
            Middleware(CompressedStatic),
        ],
    )


def serve_dashboard(host: str, port: int, settings: Settings) -> None:
    """Serve until SIGINT or SIGTERM, then let writes in flight finish (`DRAIN_SECONDS` at the most).

    Works from any folder: pages and options are found beside the code. Reads, beside `settings`, the
    environment of `one_time_link.py`. Exits with status 1 when the port is taken.
    """
    options = {"server.port": port, "server.maxUploadSize": max(1, settings.max_upload // MEBIBYTE)}
    bootstrap.load_config_options({**configuration.read_streamlit_options(), **options})
    run_server(create_app(settings), host, port, drain_seconds=5, ws="websockets-sansio")
