"""The real service in a process of its own (`python -m tests.benchmarks.server PORT`), with plain answers.

`/static/N` is answered with N bytes before anything of the service runs: what the server itself can do.
`/least/N` is answered with N bytes by a route of the framework, in a thread, after one statement that reads
nothing: what the least read can do.
"""

import contextlib
import os
import socket
import subprocess
import sys
import time
from collections.abc import Generator
from pathlib import Path

import sqlalchemy as sa
from fastapi import FastAPI
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from app.service.http.dependencies import CONTEXT
from app.service.main import create_service, serve
from app.settings import Settings

START_SECONDS = 60


class WithPlainAnswers:
    """An application with `/static/N` and `/least/N` in front of it."""

    def __init__(self, app: FastAPI) -> None:
        self._app = app
        self._least = _answer_least(app)
        self._bodies: dict[str, tuple[bytes, list[tuple[bytes, bytes]]]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope["path"].startswith("/static/"):
            is_least = scope["type"] == "http" and scope["path"].startswith("/least/")
            await (self._least if is_least else self._app)(scope, receive, send)
            return
        body, headers = self._answer(scope["path"])
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    def _answer(self, path: str) -> tuple[bytes, list[tuple[bytes, bytes]]]:
        if path not in self._bodies:
            body = b"x" * int(path.rpartition("/")[2])
            headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
            self._bodies[path] = body, headers
        return self._bodies[path]


def _answer_least(service: FastAPI) -> ASGIApp:
    least = FastAPI()

    @least.get("/least/{size}")
    def answer(size: int) -> Response:
        with CONTEXT.get(service).database.reading() as connection:
            connection.execute(sa.text("SELECT 1")).all()
        return Response(b"x" * size)

    return least


@contextlib.contextmanager
def running(data_dir: Path, database_url: str | None) -> Generator[tuple[str, int]]:
    """The service on that data, the rate limit off: its host and port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    environment = {**os.environ, "PARLEY_DATA_DIR": str(data_dir), "PARLEY_RATE_LIMIT": "0"}
    environment.pop("DATABASE_URL", None)
    if database_url:
        environment["DATABASE_URL"] = database_url
    process = subprocess.Popen([sys.executable, "-m", "tests.benchmarks.server", str(port)], env=environment)
    try:
        _wait_for(port, process)
        yield "127.0.0.1", port
    finally:
        process.terminate()
        process.wait(30)


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError("the service did not start") from None
            time.sleep(0.1)
        else:
            return


if __name__ == "__main__":
    serve(WithPlainAnswers(create_service(Settings())), "127.0.0.1", int(sys.argv[1]))
