"""Both clients behind one face, so that one test runs with either."""

import functools
import inspect
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any, cast

import pytest
from anyio.from_thread import BlockingPortal

from app.client import ApiClient, AsyncApiClient
from app.client.resources.resource import Resource

Connect = Callable[..., ApiClient]
"""Makes a client; the arguments are those of `ApiClient`."""


of_their_core = pytest.mark.parametrize("connect", ["sync"], indirect=True)
"""Marks a test of what both clients share, which runs with one of them."""


class Awaited:
    """An asynchronous client, or one of its resources, whose methods return what an `await` gives."""

    def __init__(self, client: Any, portal: BlockingPortal) -> None:
        self._client = client
        self._portal = portal

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._client, name)
        return self._call(value) if inspect.isroutine(value) else self._wrap(value)

    def __enter__(self) -> "Awaited":
        self._portal.call(self._client.__aenter__)
        return self

    def __exit__(self, *error: object) -> None:
        self._portal.call(self._client.__aexit__, *error)

    def __repr__(self) -> str:
        return repr(self._client)

    def _call(self, method: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(method)
        def call(*arguments: Any, **options: Any) -> Any:
            result = method(*arguments, **options)
            if inspect.isasyncgen(result):
                return self._iterate(result)
            return self._portal.call(_wait, result) if inspect.iscoroutine(result) else self._wrap(result)

        return call

    def _iterate(self, records: AsyncIterator[Any]) -> Iterator[Any]:
        end = object()
        while (record := self._portal.call(_wait, anext(records, end))) is not end:
            yield record

    def _wrap(self, value: Any) -> Any:
        return Awaited(value, self._portal) if isinstance(value, Resource) else value


async def _wait(result: Any) -> Any:
    return await result


def connect_async(portal: BlockingPortal) -> Connect:
    """A `Connect` of asynchronous clients that run in the portal's event loop."""

    def connect(base_url: str, **arguments: Any) -> ApiClient:
        if pause := arguments.get("sleep"):

            async def sleep(seconds: float) -> None:
                pause(seconds)

            arguments["sleep"] = sleep
        return cast(ApiClient, Awaited(AsyncApiClient(base_url, **arguments), portal))

    return connect
