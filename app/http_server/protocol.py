"""HTTP/1.1 with limits: uvicorn's protocol on httptools, which by itself bounds neither the size of a head
nor the time that a request may take to arrive."""

import asyncio
import logging
import sys
import uuid
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum, auto
from functools import partial
from http import HTTPStatus
from math import inf
from types import MappingProxyType
from typing import Any, cast

import httptools
import uvicorn
from starlette.types import ASGIApp
from uvicorn._types import ASGI3Application, ASGIReceiveCallable, ASGISendCallable, ASGISendEvent, Scope
from uvicorn.config import LOGGING_CONFIG, STARTUP_FAILURE, Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from app.contract.problem import MEDIA_TYPE, Problem, Trace
from app.http_server.connections import ConnectionLimits, ConnectionTable, raise_open_file_limit
from app.http_server.cross_origin import cross_origin_headers


@dataclass(eq=False)
class Refusal(Exception):
    """Why a request is not taken. `retry_after` in seconds, where trying again may help."""

    status: HTTPStatus
    detail: str
    retry_after: int | None = None

    def render(self, path: str, headers: Mapping[str, str] = MappingProxyType({})) -> bytes:
        """The whole answer, after which the connection is closed. `headers` are further ones of it."""
        request_id = str(uuid.uuid4())
        problem = Problem(
            type="about:blank",
            title=self.status.phrase,
            status=self.status,
            detail=self.detail,
            instance=path,
            trace=Trace(timestamp=datetime.now(UTC), request_id=request_id),
        )
        body = problem.model_dump_json(by_alias=True, exclude_none=True).encode()
        head = [
            f"HTTP/1.1 {self.status.value} {self.status.phrase}",
            f"content-type: {MEDIA_TYPE}",
            f"content-length: {len(body)}",
            f"x-request-id: {request_id}",
            "connection: close",
            *(f"{name}: {value}" for name, value in headers.items()),
        ]
        if self.retry_after is not None:
            head.append(f"retry-after: {self.retry_after}")
        return ("\r\n".join(head) + "\r\n\r\n").encode() + body


RETRY_SECONDS = 5
CLOSE_SECONDS = 5.0
"""How long a caller may take to read what is left of an answer when its connection closes."""
PIECE_BYTES = 16 * 1024
"""How much the parser gets at once. It does not say where in it a head began, so that the limit of a head is
exact to one piece."""


class Phase(Enum):
    """What a connection is doing."""

    WAITING = auto()
    """for the first byte of a request"""
    HEAD = auto()
    BODY = auto()
    RESPONDING = auto()
    """The request is complete; the application works on it."""
    REST_OF_BODY = auto()
    """The answer was sent before the body had arrived; what still comes is thrown away."""
    CLOSING = auto()
    """Everything that still comes is thrown away."""


class _TransportOfResponse:
    """The transport as a response sees it: it closes the connection in such a way that the answer arrives."""

    def __init__(self, protocol: "LimitedHttpProtocol") -> None:
        self._protocol = protocol
        transport = protocol.transport
        self.write = transport.write
        self.is_closing = transport.is_closing

    def close(self) -> None:
        self._protocol.close_after_answer()


class LimitedHttpProtocol(HttpToolsProtocol):
    """One connection. `table` counts the connections of the process and holds the limits; pages of `origins`
    may read refusals."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
        *,
        table: ConnectionTable,
        origins: Collection[str] = (),
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._table = table
        self._limits = table.limits
        self._origins = origins
        self._phase = Phase.WAITING
        self._deadline = inf
        self._unparsed = 0  # bytes since the parser last made something of them
        self._head_bytes = 0
        self._body_bytes = 0  # in this span of `body_seconds`
        self._write_paused_at = inf
        self._refusal: Refusal | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._transport_of_response = cast(asyncio.Transport, _TransportOfResponse(self))
        self.address = self._table.find_address(self.client[0] if self.client else "")
        if self._table.add(self, len(self.connections)):
            self._enter(Phase.WAITING, self._limits.head_seconds)
            self._table.set_waiting(self)
        elif len(self.connections) > self._limits.connections * 9 // 8:
            self.transport.abort()
        else:
            detail = "The server has no connection left for this caller; try again in a few seconds."
            self._refuse(Refusal(HTTPStatus.SERVICE_UNAVAILABLE, detail, RETRY_SECONDS), CLOSE_SECONDS)

    def connection_lost(self, exc: Exception | None) -> None:
        self._table.remove(self)
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        # Another protocol takes the connection over; the server still counts it.
        self._table.remove(self)
        super().handle_websocket_upgrade()

    def data_received(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest and self._phase is not Phase.CLOSING and self._parse(rest[:PIECE_BYTES]):
            rest = rest[PIECE_BYTES:]

    def _parse(self, piece: memoryview) -> bool:
        """Give the parser what came. False where nothing that follows is to be parsed."""
        self._unparsed += len(piece)
        try:
            self.parser.feed_data(piece)  # pyright: ignore[reportOptionalMemberAccess]
        except httptools.HttpParserUpgrade:
            if self._should_upgrade():
                self.handle_websocket_upgrade()
            return False
        except httptools.HttpParserError:
            detail = "The request is not HTTP/1.1 that this server understands."
            self._refuse(self._refusal or Refusal(HTTPStatus.BAD_REQUEST, detail))
            return False
        if self._head_bytes + self._unparsed > self._limits.head_bytes:
            self._refuse(self._head_too_large())
            return False
        return True

    def on_message_begin(self) -> None:
        if len(self.pipeline) >= self._limits.pipelined_requests:
            self._raise(
                HTTPStatus.BAD_REQUEST, "Too many requests wait on this connection for their answers."
            )
        super().on_message_begin()
        self._head_bytes = self._unparsed = 0
        self._enter(Phase.HEAD, self._limits.head_seconds)

    def on_url(self, url: bytes) -> None:
        super().on_url(url)
        self._count_head(len(url))

    def on_header(self, name: bytes, value: bytes) -> None:
        if self._phase is not Phase.HEAD:
            # A trailer, which comes after the body and is none of the headers that were checked.
            self._count_head(len(name) + len(value))
            return
        super().on_header(name, value)
        self._count_head(len(name) + len(value))
        if len(self.headers) > self._limits.headers:
            detail = f"The request has more than {self._limits.headers} headers."
            self._raise(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, detail)

    def on_headers_complete(self) -> None:
        super().on_headers_complete()
        self._table.set_busy(self)
        self._unparsed = self._body_bytes = 0
        self._enter(Phase.BODY, self._limits.body_seconds)

    def on_body(self, body: bytes) -> None:
        super().on_body(body)
        self._unparsed = 0
        self._body_bytes += len(body)

    def on_message_complete(self) -> None:
        super().on_message_complete()
        if self._phase is Phase.REST_OF_BODY:
            self._wait_for_request()
        else:
            self._enter(Phase.RESPONDING, inf)

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        cycle.transport = self._transport_of_response
        if cycle.waiting_for_100_continue:
            app = _close_unless_continued(cycle, app)
        super()._start_asgi_task(cycle, app)

    def on_response_complete(self) -> None:
        """Start the next request of the pipeline, or wait for one. In place of uvicorn's own, whose timer
        starts anew with every byte."""
        self.server_state.total_requests += 1
        if self.transport.is_closing() or self._phase is Phase.CLOSING:
            return
        self.flow.resume_reading()
        if self.pipeline:
            cycle, app = self.pipeline.pop()
            self._start_asgi_task(cycle, app)
        elif self._phase is Phase.BODY:
            self._enter(Phase.REST_OF_BODY, self._limits.discard_seconds)
        elif self._phase is Phase.RESPONDING:
            self._wait_for_request()

    def pause_writing(self) -> None:
        self._write_paused_at = self.loop.time()
        super().pause_writing()

    def resume_writing(self) -> None:
        self._write_paused_at = inf
        super().resume_writing()

    def give_way(self) -> None:
        if self._phase is Phase.HEAD:
            detail = "The server needs the connection for others: the request took too long to arrive."
            self._refuse(Refusal(HTTPStatus.REQUEST_TIMEOUT, detail), CLOSE_SECONDS)
        else:
            self._close()

    def close_after_answer(self) -> None:
        """Close once the answer has gone out, and the rest of the body, if there is one, has come in."""
        if self._phase is Phase.BODY:
            self._enter(Phase.CLOSING, self._limits.discard_seconds)
            self.flow.resume_reading()
        else:
            self._close()

    def check_deadline(self, now: float) -> None:
        if now - self._write_paused_at > self._limits.write_seconds:
            self.transport.abort()
        elif now <= self._deadline:
            return
        elif self._phase is Phase.HEAD:
            detail = f"The head of the request did not arrive within {self._limits.head_seconds:g} seconds."
            self._refuse(Refusal(HTTPStatus.REQUEST_TIMEOUT, detail))
        elif self._phase is Phase.BODY:
            self._check_body()
        elif self._phase is Phase.CLOSING:
            self.transport.abort()
        else:
            self._close()

    def _check_body(self) -> None:
        limits, cycle = self._limits, self.cycle
        # Nothing can arrive while the application has not asked for the body, or has too much of it to read.
        is_ours = self.flow.read_paused or cycle.waiting_for_100_continue
        if is_ours or self._body_bytes >= limits.body_bytes:
            self._body_bytes = 0
            self._enter(Phase.BODY, limits.body_seconds)
            return
        detail = (
            f"The body arrives too slowly: it must end within {limits.body_seconds:g} seconds, or "
            f"{limits.body_bytes:,} bytes of it must arrive in each such span."
        )
        self._refuse(Refusal(HTTPStatus.REQUEST_TIMEOUT, detail))

    def _refuse(self, refusal: Refusal, seconds: float | None = None) -> None:
        """Answer in the application's place and close. An answer that is under way is the last one on this
        connection."""
        cycle = self.cycle
        if self._phase is Phase.REST_OF_BODY:
            self._close()
        elif cycle is None or cycle.response_complete:  # pyright: ignore[reportUnnecessaryComparison]
            self._send_refusal(refusal, seconds)
        elif not cycle.more_body:
            # What came is none of the request that is being answered.
            self.pipeline.clear()
            cycle.keep_alive = False
            self._enter(Phase.RESPONDING, inf)
            self.flow.pause_reading()
        elif cycle.response_started:
            self.transport.abort()
        else:
            cycle.disconnected = True
            cycle.message_event.set()
            self._send_refusal(refusal, seconds)

    def _send_refusal(self, refusal: Refusal, seconds: float | None) -> None:
        self._table.set_busy(self)
        path = self.scope.get("path", "") if self.scope else ""
        origin = next(
            (value.decode("latin-1") for name, value in self.headers or () if name == b"origin"), None
        )
        self.transport.write(refusal.render(path, cross_origin_headers(self._origins, origin)))
        self._enter(Phase.CLOSING, self._limits.discard_seconds if seconds is None else seconds)
        self.flow.resume_reading()

    def _close(self) -> None:
        self._table.set_busy(self)
        self._enter(Phase.CLOSING, CLOSE_SECONDS)
        self.transport.close()

    def _wait_for_request(self) -> None:
        self._enter(Phase.WAITING, self._limits.idle_seconds)
        self._table.set_waiting(self)

    def _enter(self, phase: Phase, seconds: float) -> None:
        self._phase = phase
        self._deadline = self.loop.time() + seconds

    def _count_head(self, size: int) -> None:
        self._unparsed = 0
        self._head_bytes += size
        if self._head_bytes > self._limits.head_bytes:
            self._refusal = self._head_too_large()
            raise self._refusal

    def _head_too_large(self) -> Refusal:
        detail = f"The head of the request is larger than {self._limits.head_bytes:,} bytes."
        return Refusal(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, detail)

    def _raise(self, status: HTTPStatus, detail: str) -> None:
        self._refusal = Refusal(status, detail)
        raise self._refusal


def _close_unless_continued(cycle: RequestResponseCycle, app: ASGI3Application) -> ASGI3Application:
    """The application, for a caller that waits for `100 Continue`. Where the answer comes instead, the caller
    may send its body or not, so that nothing that follows could be understood."""

    async def respond(scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        async def send_last(message: ASGISendEvent) -> None:
            if cycle.waiting_for_100_continue:
                cycle.keep_alive = False
            await send(message)

        await app(scope, receive, send_last)

    return respond


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
