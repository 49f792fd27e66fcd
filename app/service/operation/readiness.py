"""Whether a process can do its work now: database, schema and the store of files."""

import asyncio
from collections.abc import Mapping
from functools import partial

from sqlalchemy.exc import SQLAlchemyError

from app.service.context import Context
from app.service.database.schema import OutdatedSchema, require_supported
from app.service.operation.bounded_check import BoundedCheck

CHECK_SECONDS = 1.5
"""How long a part may take to show that it is there."""


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
