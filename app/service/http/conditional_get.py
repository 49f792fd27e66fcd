"""Responses that a caller may cache: an entity tag of the content, and 304 while it is valid (RFC 9110)."""

import hashlib
import re

from starlette.requests import Request
from starlette.responses import Response

FRESH_SECONDS = 60
"""How long a caller may use a catalog record without asking again."""

_TAG = re.compile(r'(?:W/)?("[^"]*")')


def cacheable_response(request: Request, body: bytes) -> Response:
    """Return `body` as JSON, or 304 when the caller has it already."""
    return conditional_response(request, body, f'"{hashlib.sha256(body).hexdigest()[:32]}"')


def conditional_response(request: Request, body: bytes, tag: str) -> Response:
    """The same for a body whose entity tag is known."""
    headers = {
        "ETag": tag,
        "Cache-Control": f"private, max-age={FRESH_SECONDS}",
        "Vary": "Authorization, X-API-Key",
    }
    if_none_match = request.headers.getlist("if-none-match")
    if if_none_match and matches_tag(", ".join(if_none_match), tag):
        return Response(status_code=304, headers=headers)
    return Response(body, headers=headers, media_type="application/json")


def matches_tag(if_none_match: str, tag: str) -> bool:
    """Return whether an `If-None-Match` value (tags, compared weakly, or `*`) matches the tag."""
    return if_none_match.strip() == "*" or tag in _TAG.findall(if_none_match)
