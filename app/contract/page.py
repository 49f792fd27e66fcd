"""List pages (part 2 of the interface) and the parameters that select one."""

from typing import Generic, TypeVar

from pydantic import Field

from app.contract.model import Reply

Record = TypeVar("Record")

DEFAULT_LIMIT = 10
MAX_LIMIT = 100
MAX_IDS = 30


class Pagination(Reply):
    """Where a page stands: `total` records in all, at most `limit` of them here, from `offset` on."""

    total: int
    limit: int
    offset: int


class ListPage(Reply, Generic[Record]):
    """Records in a total and stable order; past the end `data` is empty."""

    data: list[Record] = Field(description="The records of this page.")
    pagination: Pagination
