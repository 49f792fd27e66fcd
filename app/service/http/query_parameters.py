"""The query parameters of a list: those of its query in the contract, and `ids`, which selects records."""

import re
from collections.abc import Callable, Coroutine, Sequence
from inspect import Parameter, Signature
from typing import Annotated, Any, TypeVar, cast, get_type_hints

from fastapi import Depends, Query
from pydantic import BeforeValidator
from pydantic.alias_generators import to_camel
from pydantic.fields import FieldInfo
from starlette.requests import Request
from starlette.responses import Response

from app.contract.model import Reply
from app.contract.page import DEFAULT_LIMIT, MAX_IDS, MAX_LIMIT, MAX_OFFSET, ListPage, PageRequest, Pagination
from app.contract.values import UUID
from app.service.http.problems import bad_request
from app.service.http.responses import json_response

Asked = TypeVar("Asked")


def query_parameters(
    query: Callable[..., Asked], **readers: Callable[..., object]
) -> Callable[..., Coroutine[Any, Any, Asked]]:
    """A dependency that reads the parameters of `query`, a TypedDict, by their names on the wire. A parameter
    that is absent and has no default is left out. `readers` are dependencies that read single parameters."""

    async def read(**values: object) -> Asked:
        return cast(Asked, {name: value for name, value in values.items() if value is not None})

    hints = get_type_hints(query, include_extras=True)
    parameters = [_parameter(name, hint, readers.get(name)) for name, hint in hints.items()]
    # The framework reads a dependency's parameters from its signature.
    setattr(read, "__signature__", Signature(parameters))  # noqa: B010
    return read


def _parameter(name: str, hint: Any, reader: Callable[..., object] | None) -> Parameter:
    if reader is not None:
        return Parameter(name, Parameter.KEYWORD_ONLY, annotation=Annotated[Any, Depends(reader)])
    field = FieldInfo.from_annotation(hint)
    default = None if field.is_required() else field.default
    parameter = Query(alias=to_camel(name), description=field.description)
    annotation = Annotated[(field.annotation, *field.metadata, parameter)]  # pyrefly: ignore[not-a-type]
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


IDS_PARAMETER: dict[str, Any] = {
    "name": "ids",
    "in": "query",
    "required": False,
    "style": "form",
    "explode": False,
    "description": "Only these, as one comma-separated value; may be repeated. Empty: an empty page.",
    "schema": {"type": "array", "maxItems": MAX_IDS, "items": {"type": "string", "format": "uuid"}},
}
WITH_IDS = {"parameters": [IDS_PARAMETER]}


async def read_ids(request: Request) -> Sequence[str] | None:
    """The ids of `ids=a,b` (repeated or not), none of an empty value, or None where the parameter is
    absent. Raises ApiProblem 400."""
    values = request.query_params.getlist("ids")
    if not any(values):
        return () if values else None
    given = [part.strip().lower() for value in values for part in value.split(",")]
    if len(given) > MAX_IDS:
        raise bad_request("ids", f"takes at most {MAX_IDS} ids; {len(given)} were given")
    for one in given:
        if not UUID.fullmatch(one):
            raise bad_request("ids", f"{one[:60]!r} is not a UUID")
    return list(dict.fromkeys(given))


_Record = TypeVar("_Record", bound=Reply)


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


def page_response(records: list[_Record], total: int, page: PageRequest) -> Response:
    place = Pagination(total=total, limit=page.limit, offset=page.offset)
    return json_response(ListPage[_Record](data=records, pagination=place))
