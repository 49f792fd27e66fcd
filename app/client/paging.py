"""All records of a list, page by page, without ever going round in circles."""

from collections.abc import Callable, Iterator
from typing import TypeVar

from app.client.errors import UnexpectedReply
from app.contract.page import MAX_LIMIT, ListPage

Record = TypeVar("Record")

MOST_RECORDS = 1_000_000
"""Where an iteration ends whatever the service says."""


def each(
    page_at: Callable[[int, int], ListPage[Record]],
    *,
    page_size: int = MAX_LIMIT,
    at_most: int = MOST_RECORDS,
) -> Iterator[Record]:
    """The records of `page_at(limit, offset)` from the first on, at most `at_most`.

    Ends on an empty page, on one shorter than asked for, and where `total` is reached. A service may give
    fewer on a page than asked for, and says so in `pagination.limit`. UnexpectedReply when it answers another
    page than the one asked for.
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
