"""Endpoints on real sockets that answer well, badly, slowly or not at all."""

import asyncio
import contextlib
import threading
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from dataclasses import dataclass, field

Answering = Callable[["Received", asyncio.StreamWriter], Awaitable[None]]


@dataclass
class Received:
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Endpoint:
    url: str
    received: list[Received] = field(default_factory=list[Received])


def status(code: int, headers: str = "", body: str = "") -> Answering:
    """Answers with that status."""

    async def answer(_: Received, writer: asyncio.StreamWriter) -> None:
        writer.write(
            f"HTTP/1.1 {code} Said\r\ncontent-length: {len(body.encode())}\r\n{headers}\r\n{body}".encode()
        )

    return answer


def raw(answer: bytes) -> Answering:
    """Answers with these bytes, in two pieces, and ends the connection."""

    async def write(_: Received, writer: asyncio.StreamWriter) -> None:
        half = len(answer) // 2
        for part in (answer[:half], answer[half:]):
            writer.write(part)
            await writer.drain()
            await asyncio.sleep(0.01)
        writer.close()

    return write


async def hang(_: Received, __: asyncio.StreamWriter) -> None:
    """Takes the request and never answers."""
    await asyncio.sleep(3600)


async def drip(_: Received, writer: asyncio.StreamWriter) -> None:
    """Begins to answer and never ends."""
    writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n")
    while True:
        writer.write(b".")
        await writer.drain()
        await asyncio.sleep(0.05)


async def flood(_: Received, writer: asyncio.StreamWriter) -> None:
    """Answers with 100 MB."""
    writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 100000000\r\n\r\n")
    for _number in range(100):
        writer.write(b"x" * 1_000_000)
        await writer.drain()


async def reset(_: Received, writer: asyncio.StreamWriter) -> None:
    """Ends the connection instead of answering."""
    writer.transport.abort()


async def babble(_: Received, writer: asyncio.StreamWriter) -> None:
    """Answers with what is no HTTP."""
    writer.write(b"\x16\x03\x01 hello\r\n\r\n")


@contextlib.asynccontextmanager
async def endpoint(answering: Answering, *, path: str = "/hook") -> AsyncGenerator[Endpoint]:
    """A server on a free port of the loopback; `answering` may be replaced by what it decides itself."""
    told = Endpoint("")
    serving: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        serving.add(task)
        try:
            # A cancelled handler would be reported by the stream's own callback.
            with contextlib.suppress(asyncio.CancelledError):
                await converse(reader, writer)
        finally:
            writer.transport.abort()
            with contextlib.suppress(OSError):
                await writer.wait_closed()

    async def converse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
                headers = {
                    name.lower(): value
                    for name, _, value in (line.partition(": ") for line in head[1:] if line)
                }
                body = await reader.readexactly(int(headers.get("content-length", "0")))
                received = Received(head[0].split(" ")[1], headers, body)
                told.received.append(received)
                await answering(received, writer)
                await writer.drain()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    told.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}{path}"
    try:
        yield told
    finally:
        server.close()
        for task in serving:
            task.cancel()
        await asyncio.gather(*serving, return_exceptions=True)


@contextlib.contextmanager
def serving(answering: Answering, *, path: str = "/hook") -> Generator[Endpoint]:
    """An endpoint in a thread of its own, for a test that blocks."""
    ready = threading.Event()
    known: list[tuple[Endpoint, asyncio.AbstractEventLoop, asyncio.Event]] = []

    async def serve() -> None:
        async with endpoint(answering, path=path) as told:
            done = asyncio.Event()
            known.append((told, asyncio.get_running_loop(), done))
            ready.set()
            await done.wait()

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    ready.wait()
    told, loop, done = known[0]
    try:
        yield told
    finally:
        loop.call_soon_threadsafe(done.set)
        thread.join()
