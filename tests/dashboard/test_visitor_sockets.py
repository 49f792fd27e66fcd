"""Visitors may hold so many websockets; whoever is signed in always gets one."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect

from app.dashboard.deployment import Deployment
from app.dashboard.server.middleware import VisitorSockets
from app.dashboard.signing_in.sessions import COOKIE, SessionStore
from tests.dashboard.http_server import serve_in_thread

MOST = 6
Open = Callable[..., ClientConnection]


@pytest.fixture
def store() -> SessionStore:
    return SessionStore(b"key")


@pytest.fixture
def open_socket(store: SessionStore) -> Iterator[Open]:
    """`open_socket(cookie)`: an open websocket, InvalidStatus when it is refused."""

    async def hold(socket: WebSocket) -> None:
        await socket.accept()
        with suppress(WebSocketDisconnect):
            await socket.receive_bytes()

    app = Starlette(
        routes=[WebSocketRoute("/", hold)],
        middleware=[Middleware(VisitorSockets, sessions=store, most=MOST)],
    )
    with serve_in_thread(app, websockets=True) as address, ExitStack() as opened:

        def open_one(cookie: str = "") -> ClientConnection:
            headers = {"Cookie": f"a@b=1; {COOKIE}={cookie}"}
            return opened.enter_context(connect(f"ws{address[4:]}/", additional_headers=headers))

        yield open_one


def test_visitors_of_one_address_have_half_and_others_are_let_in(
    open_socket: Open, store: SessionStore
) -> None:
    sockets = [open_socket("guess") for _ in range(MOST // 2)]
    with pytest.raises(InvalidStatus):
        open_socket()
    token = store.exchange_ticket(store.start(Deployment("http://x", "key"))[1])
    for _ in range(MOST):
        open_socket(token)
    sockets[0].close()
    end = time.monotonic() + 10
    while time.monotonic() < end:
        with suppress(InvalidStatus):
            open_socket()
            return
    pytest.fail("a place that was given up stays taken")
