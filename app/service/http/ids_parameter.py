"""The parameter `ids` of a list, which selects records by their ids."""

import re
from collections.abc import Sequence
from typing import Any

from starlette.requests import Request

from app.contract.page import MAX_IDS
from app.service.http.problems import bad_request

_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


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
        if not _UUID.fullmatch(one):
            raise bad_request("ids", f"{one[:60]!r} is not a UUID")
    return list(dict.fromkeys(given))
