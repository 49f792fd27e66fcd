"""List pages: the parameters that select one and the answer."""

from typing import Annotated, TypeVar

from fastapi import Query
from starlette.responses import Response

from app.contract.model import Reply
from app.contract.page import DEFAULT_LIMIT, MAX_LIMIT, ListPage, Pagination
from app.service.answers import answer

MAX_OFFSET = 2**31 - 1

Record = TypeVar("Record", bound=Reply)

Limit = Annotated[int, Query(ge=1, le=MAX_LIMIT, description=f"At most so many; {DEFAULT_LIMIT} by default.")]
Offset = Annotated[int, Query(ge=0, le=MAX_OFFSET, description="Leaves out so many from the start.")]


def page_answer(records: list[Record], total: int, limit: int, offset: int) -> Response:
    """One page with where it stands."""
    page = ListPage[Record](data=records, pagination=Pagination(total=total, limit=limit, offset=offset))
    return answer(page)
