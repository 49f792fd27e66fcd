"""JSON responses in the wire's form."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic_core import to_json
from starlette.responses import Response

from app.contract.model import Wire

NO_STORE = {"Cache-Control": "no-store"}


def created_response(
    value: Wire | dict[str, Any], location: str, *, headers: Mapping[str, str] | None = None
) -> Response:
    """201 with the new record; `location` is the path at which it, or what it names, can be read."""
    return json_response(value, 201, headers={"Location": location, **(headers or {})})


def json_response(
    value: Wire | Sequence[Wire] | dict[str, Any],
    status: int = 200,
    *,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """A record, records as a bare array, or a record that is in the wire's form already, as JSON."""
    if isinstance(value, Wire):
        body = value.model_dump_json(by_alias=True, exclude_none=True).encode()
    elif isinstance(value, dict):
        body = to_json(value)
    else:
        body = json.dumps([item.wire() for item in value], ensure_ascii=False).encode()
    return Response(body, status, headers, media_type="application/json")
