"""Whether a process can do its work now: database, schema and the store of files."""

import asyncio
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from functools import partial
from typing import Generic, TypeVar

from sqlalchemy.exc import SQLAlchemyError

from app.service.context import Context
from app.service.database.schema import OutdatedSchema, require_supported

Result = TypeVar("Result")

CHECK_SECONDS = 1.5
"""How long a part may take to show that it is there."""


class BoundedCheck(Generic[Result]):
    """Runs one check at a time in a thread of its own, so that neither a check that hangs nor callers that
    wait for others take a thread from anybody. Those who ask meanwhile get the result of the same run."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._run: Future[Result] | None = None

    async def result(self, check: Callable[[], Result], seconds: float) -> Result | None:
        """What the check returns; None when it has not ended after so many seconds. Raises what it raises."""
        with self._lock:
            if self._run is None or self._run.done():
                self._run = Future()
                threading.Thread(
                    target=_complete, args=(self._run, check), name="health", daemon=True
                ).start()
            run = self._run
        waiting = asyncio.wrap_future(run)
        done, _ = await asyncio.wait({waiting}, timeout=seconds)
        return waiting.result() if done else None


def _complete(run: "Future[Result]", check: Callable[[], Result]) -> None:
    try:
        run.set_result(check())
    except BaseException as error:
        run.set_exception(error)


class _SchemaCheck(BoundedCheck[Mapping[str, str]]):
    """Of the database and its revision, one for each database of a process."""


class _FilesCheck(BoundedCheck[bool]):
    """Of the store of files."""


async def check_readiness(context: Context) -> dict[str, str]:
    """`ok` or `error` of each part, within two seconds."""
    check = context.database.memory.get(_SchemaCheck)
    schema, files = await asyncio.gather(
        check.result(partial(_check_schema, context), CHECK_SECONDS), check_files(context)
    )
    return {**(schema or {"database": "error", "schema": "error"}), "files": files}


async def check_files(context: Context) -> str:
    """`ok` where the store of files takes one, in time, else `error`."""
    is_writable = await context.database.memory.get(_FilesCheck).result(
        context.files.is_writable, CHECK_SECONDS
    )
    return "ok" if is_writable else "error"


def is_ready(parts: Mapping[str, str]) -> bool:
    return all(status == "ok" for status in parts.values())


def _check_schema(context: Context) -> Mapping[str, str]:
    try:
        require_supported(context.database)
    except SQLAlchemyError:
        return {"database": "error", "schema": "error"}
    except OutdatedSchema:
        return {"database": "ok", "schema": "error"}
    return {"database": "ok", "schema": "ok"}
