"""For the checker of types, httpx2 is httpx, whose interface it keeps: Starlette's test client is made of
httpx2 where that is installed, and tests pass it on as the client of httpx that it acts as."""

from httpx import *  # noqa: F403
