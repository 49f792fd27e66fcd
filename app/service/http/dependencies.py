"""What routes take as parameters: the process's context, and whether the caller is still there. Apart from
the context itself, so that a worker, which serves no routes, does not load the framework that does."""

import asyncio
import threading
from collections.abc import AsyncGenerator
from typing import Annotated

from fastapi import Depends, Request

from app.service.context import Context
from app.service.http.state import StateKey

CONTEXT = StateKey[Context]("context")
"""Of the application: what every route works with."""


async def _context_of(request: Request) -> Context:
    # Not a plain `def`: the framework would send it through a thread, which costs more than the look-up.
    return CONTEXT.get(request.app)


ContextDep = Annotated[Context, Depends(_context_of)]
"""The context, as a parameter of a route."""


async def _watch_caller(request: Request) -> AsyncGenerator[threading.Event]:
    left = threading.Event()

    async def wait_until_left() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass
        left.set()

    waiting = asyncio.create_task(wait_until_left())
    try:
        yield left
    finally:
        waiting.cancel()


CallerLeftDep = Annotated[threading.Event, Depends(_watch_caller)]
"""Set once the caller has closed the connection, as a parameter of a route that works long for one answer."""
