"""List pages: the parameters that select one and the answer."""

import re
from typing import Annotated, TypeVar

from fastapi import Depends, Query
from pydantic import BeforeValidator
from starlette.responses import Response

from app.contract.model import Reply
from app.contract.page import DEFAULT_LIMIT, MAX_LIMIT, ListPage, PageRequest, Pagination
from app.service.http.responses import json_response

MAX_OFFSET = 2**63 - 1
"""The largest that both stores take; past the end of a list a page is empty."""

Record = TypeVar("Record", bound=Reply)


def check_digits(value: object) -> object:
    """Digits only: the framework would also take `1.0` and `1_0`."""
    if isinstance(value, str) and not _DIGITS.fullmatch(value):
        raise ValueError("must be a whole number")
    return value


_DIGITS = re.compile(r"-?[0-9]{1,20}")

# The bounds stand in the schema by hand: pydantic does not see through the check before them.
Limit = Annotated[
    int,
    BeforeValidator(check_digits),
    Query(
        ge=1,
        le=MAX_LIMIT,
        description=f"At most so many records; {DEFAULT_LIMIT} by default.",
        json_schema_extra={"minimum": 1, "maximum": MAX_LIMIT},
    ),
]
Offset = Annotated[
    int,
    BeforeValidator(check_digits),
    Query(
        ge=0,
        le=MAX_OFFSET,
        description="Leaves out so many from the start.",
        json_schema_extra={"minimum": 0, "maximum": MAX_OFFSET},
    ),
]


async def _page_request(limit: Limit = DEFAULT_LIMIT, offset: Offset = 0) -> PageRequest:
    return PageRequest(limit, offset)


PageDep = Annotated[PageRequest, Depends(_page_request)]
"""Which page of a list is asked for, as a parameter of a route."""


def page_response(records: list[Record], total: int, page: PageRequest) -> Response:
    """One page with where it stands."""
    place = Pagination(total=total, limit=page.limit, offset=page.offset)
    return json_response(ListPage[Record](data=records, pagination=place))
