"""Responses that a caller may cache: an entity tag of the content, and 304 while it is valid (RFC 9110).

Tags are weak: one tag stands for a body in every coding, so a caller who has it in one may ask in another.
"""

import hashlib
import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

from starlette.requests import Request
from starlette.responses import Response

from app.http_server.content_coding import Coding
from app.service.http.compression import EncodedBody, encode_body, read_coding

FRESH_SECONDS = 60
"""How long a caller may use what it has without asking again."""
OF_CALLER: Mapping[str, str] = MappingProxyType(
    {
        "Cache-Control": f"private, max-age={FRESH_SECONDS}",
        "Vary": "Accept-Encoding, Authorization, X-API-Key",
    }
)
"""Headers of a response that depends on who calls."""
OF_ALL: Mapping[str, str] = MappingProxyType(
    {"Cache-Control": f"public, max-age={FRESH_SECONDS}", "Vary": "Accept-Encoding"}
)
"""Headers of a response that is the same for all."""

_TAG = re.compile(r'(?:W/)?("[^"]*")')


def cacheable_response(request: Request, body: bytes) -> Response:
    """Return `body` as JSON, or 304 when the caller has it already."""
    return conditional_response(
        request, _make_tag(body), lambda: encode_body(body, read_coding(request.headers))
    )


def conditional_response(
    request: Request,
    tag: str,
    encode: Callable[[], EncodedBody],
    shared_headers: Mapping[str, str] = OF_CALLER,
    media_type: str = "application/json",
) -> Response:
    """The same for a body whose entity tag is known; `encode` returns it as this caller takes it."""
    headers = {"ETag": tag, **shared_headers}
    if_none_match = request.headers.getlist("if-none-match")
    if if_none_match and matches_tag(", ".join(if_none_match), tag):
        return Response(status_code=304, headers=headers)
    body = encode()
    return Response(body.content, headers={**headers, **body.headers}, media_type=media_type)


class PublishedDocument:
    """A text that is the same for all callers while the process runs, in each coding."""

    def __init__(
        self, body: bytes, media_type: str = "application/json", headers: Mapping[str, str] = OF_ALL
    ) -> None:
        self._tag = _make_tag(body)
        self._media_type = media_type
        self._headers = headers
        codings: tuple[Coding | None, ...] = (None, *Coding)
        self._encoded = {coding: encode_body(body, coding, sent_often=True) for coding in codings}

    def respond(self, request: Request) -> Response:
        """The document, or 304 when the caller has it already."""
        return conditional_response(
            request,
            self._tag,
            lambda: self._encoded[read_coding(request.headers)],
            self._headers,
            self._media_type,
        )


def _make_tag(body: bytes) -> str:
    return f'W/"{hashlib.sha256(body).hexdigest()[:32]}"'


def matches_tag(if_none_match: str, tag: str) -> bool:
    """Return whether an `If-None-Match` value (tags, compared weakly, or `*`) matches the tag."""
    return if_none_match.strip() == "*" or tag.removeprefix("W/") in _TAG.findall(if_none_match)
