"""Pages of a list, and the parameters that select one."""

from dataclasses import dataclass
from typing import Generic, TypedDict, TypeVar

from pydantic import Field

from .model import Reply

Record = TypeVar("Record")

DEFAULT_LIMIT = 10
MAX_LIMIT = 100
MAX_IDS = 30
MAX_OFFSET = 2**63 - 1
"""The largest that both stores take; past the end of a list a page is empty."""


@dataclass(frozen=True)
class PageRequest:
    """The requested page of a list: at most `limit` records from `offset` on."""

    limit: int = DEFAULT_LIMIT
    offset: int = 0

    @property
    def end(self) -> int:
        """How many records there are up to the end of the page, at most as many as a store can count to."""
        return min(self.offset + self.limit, MAX_OFFSET)


class ListQuery(TypedDict, total=False):
    """The filters and the order of a list. A new filter is a field of the list's query, its condition
    where the list is read and its control on the page: route, client and cached read pass the query
    through."""


class Pagination(Reply):
    """The place of a page in its list: `total` records in all, at most `limit` of them here, from `offset`
    on."""

    total: int = Field(description="How many records the list has.")
    limit: int = Field(description="The most records that the page could have.")
    offset: int = Field(description="How many records were left out before the page.")


class ListPage(Reply, Generic[Record]):
    """One page of a list. The order of the records is total and stable; past the end `data` is empty."""

    data: list[Record] = Field(description="The records of this page.")
    pagination: Pagination
