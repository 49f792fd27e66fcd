"""Iterates over all records of a list, page by page."""

from collections.abc import Callable, Iterator
from typing import TypeVar

from ..contract.page import MAX_LIMIT, ListPage
from .errors import UnexpectedReply

Record = TypeVar("Record")

MAX_RECORDS = 1_000_000
"""The most records of an iteration, even where the service has more."""


def iter_records(
    page_at: Callable[[int, int], ListPage[Record]],
    *,
    page_size: int = MAX_LIMIT,
    at_most: int = MAX_RECORDS,
) -> Iterator[Record]:
    """The records of `page_at(limit, offset)` from the first on, at most `at_most`.

    It ends at an empty page, at a page that is not full, and at `total`. A service may put fewer records on a
    page than asked for, and says so in `pagination.limit`. UnexpectedReply when it answers with another page
    than the one asked for, so that the iteration always ends.
    """
    offset = 0
    while offset < at_most:
        page = page_at(page_size, offset)
        if page.pagination.offset != offset:
            raise UnexpectedReply(
                f"Asked for records from {offset} on, got them from {page.pagination.offset}."
            )
        yield from page.data[: at_most - offset]
        offset += len(page.data)
        full = min(page_size, page.pagination.limit)
        if not page.data or len(page.data) < full or offset >= page.pagination.total:
            return
