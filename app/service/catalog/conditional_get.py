"""Answers that a caller may keep: an entity tag from the content, and 304 while it still holds (RFC 9110)."""

import hashlib
import re

from starlette.requests import Request
from starlette.responses import Response

FRESH_SECONDS = 60
"""How long a caller may show a catalog record without asking again."""

_TAG = re.compile(r'(?:W/)?("[^"]*")')


def cacheable(request: Request, body: bytes) -> Response:
    """`body` as JSON, or 304 without it when the caller holds it already."""
    return conditional(request, body, f'"{hashlib.sha256(body).hexdigest()[:32]}"')


def conditional(request: Request, body: bytes, tag: str) -> Response:
    """`cacheable` for a body whose entity tag is known."""
    headers = {
        "ETag": tag,
        "Cache-Control": f"private, max-age={FRESH_SECONDS}",
        "Vary": "Authorization, X-API-Key",
    }
    held = request.headers.getlist("if-none-match")
    if held and names(", ".join(held), tag):
        return Response(status_code=304, headers=headers)
    return Response(body, headers=headers, media_type="application/json")


def names(if_none_match: str, tag: str) -> bool:
    """Whether an `If-None-Match` value names the tag: a list of tags, compared weakly, or `*`."""
    return if_none_match.strip() == "*" or tag in _TAG.findall(if_none_match)
