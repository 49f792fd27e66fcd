"""The process's context as a parameter of a route. Apart from the context itself, so that a worker, which
serves no routes, does not load the framework that does."""

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
