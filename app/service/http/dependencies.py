"""What routes take as parameters: the process's context, and whether the caller is still there; with the
state of an application or of one request, by its type. Apart from the context itself, so that a worker, which
serves no routes, does not load the framework that does."""

import asyncio
import threading
from collections.abc import AsyncGenerator
from typing import Annotated, Any, Generic, Protocol, TypeVar, cast

from fastapi import Depends, Request
from starlette.datastructures import State

from app.service.context import Context

Value = TypeVar("Value")


class HasState(Protocol):
    """A FastAPI application or a request."""

    @property
    def state(self) -> State | Any: ...


class StateKey(Generic[Value]):
    """One named value in the `state` of an application or a request, and its type."""

    def __init__(self, name: str) -> None:
        self._name = name

    def set(self, holder: HasState, value: Value) -> None:
        setattr(holder.state, self._name, value)

    def get(self, holder: HasState) -> Value:
        """The value. AttributeError when it was never set."""
        return cast(Value, getattr(holder.state, self._name))

    def get_or(self, holder: HasState, default: Value) -> Value:
        return cast(Value, getattr(holder.state, self._name, default))


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
