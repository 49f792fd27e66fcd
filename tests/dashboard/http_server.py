"""Servers on sockets of their own, for as long as a test needs them."""

import asyncio
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import uvicorn
from starlette.types import ASGIApp


@contextmanager
def serve_in_thread(app: ASGIApp | Any, *, websockets: bool = False) -> Generator[str]:
    """`app` served by uvicorn on a free port in a thread; its base address."""
    ws = "websockets-sansio" if websockets else "none"
    server = uvicorn.Server(
        uvicorn.Config(app, host="127.0.0.1", port=0, log_level="error", ws=ws, lifespan="on")
    )
    thread = threading.Thread(target=lambda: asyncio.run(server.serve()), daemon=True)
    thread.start()
    end = time.monotonic() + 30
    while not server.started:
        if not thread.is_alive() or time.monotonic() > end:
            raise RuntimeError("the server did not start")
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(10)
