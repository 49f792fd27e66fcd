"""JSON responses in the wire's form, and documents that are made when they are asked for."""

import json
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from pydantic_core import to_json
from starlette.responses import Response

from app.contract.model import Wire
from app.service.http.operations import header_references

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


def describe_download(
    media_type: str,
    description: str = "The file.",
    schema: Mapping[str, str] = MappingProxyType({"type": "string", "format": "binary"}),
) -> dict[str, Any]:
    """Return the arguments of a route that answers with a document."""
    success = {
        "description": description,
        "content": {media_type.partition(";")[0]: {"schema": dict(schema)} if schema else {}},
        "headers": header_references("Content-Disposition"),
    }
    return {"response_class": Response, "responses": {200: success}}


def download_response(content: bytes, filename: str, media_type: str) -> Response:
    """Return a document, which a browser never opens in this origin. `filename` is one of ours."""
    headers = {
        "Content-Disposition": f'attachment; filename="{filename}"',
        "X-Content-Type-Options": "nosniff",
        **NO_STORE,
    }
    return Response(content, media_type=media_type, headers=headers)
