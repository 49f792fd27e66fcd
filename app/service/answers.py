"""Answers in the wire's form."""

import json
from collections.abc import Mapping, Sequence

from starlette.responses import Response

from app.contract.model import Wire

NO_STORE = {"Cache-Control": "no-store"}


def answer(
    value: Wire | Sequence[Wire], status: int = 200, *, headers: Mapping[str, str] | None = None
) -> Response:
    """A record, or records as a bare array, as JSON."""
    if isinstance(value, Wire):
        body = value.model_dump_json(by_alias=True, exclude_none=True).encode()
    else:
        body = json.dumps([item.wire() for item in value], ensure_ascii=False).encode()
    return Response(body, status, headers, media_type="application/json")
