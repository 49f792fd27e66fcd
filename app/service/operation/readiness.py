"""Whether a process can do its work now: database, schema and the store of files."""

import asyncio
from collections.abc import Callable, Mapping
from functools import partial

from sqlalchemy.exc import SQLAlchemyError

from app.service.context import Context
from app.service.database.schema import OutdatedSchema, require_supported
from app.service.operation.bounded_check import BoundedCheck

CHECK_SECONDS = 1.5
"""How long a part may take to show that it is there."""


class _SchemaCheck(BoundedCheck[Mapping[str, str]]):
    """Of the database and its revision, one for each database of a process."""


class _FilesCheck(BoundedCheck[str]):
    """Of the store of files."""


async def check_readiness(context: Context) -> dict[str, str]:
    """`ok` or `error` of each part, within two seconds."""
    memory = context.database.memory
    schema, files = await asyncio.gather(
        memory.get(_SchemaCheck).result(partial(_check_schema, context), CHECK_SECONDS),
        memory.get(_FilesCheck).result(_guard(context.files.is_writable), CHECK_SECONDS),
    )
    return {**(schema or {"database": "error", "schema": "error"}), "files": files or "error"}


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


def _guard(check: Callable[[], bool]) -> Callable[[], str]:
    return lambda: "ok" if check() else "error"
