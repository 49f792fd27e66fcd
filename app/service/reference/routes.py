"""The page `/docs`: the description of `/v1/openapi` to read and to try, drawn by Swagger UI in the browser.
It needs no key, as the description needs none; whoever tries an operation enters one."""

from functools import cache
from pathlib import Path

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.http_server.content_coding import Coding
from app.service.http.compression import EncodedBody, encode_body, read_coding
from app.service.http.conditional_get import OF_ALL, conditional_response, make_tag
from app.service.http.problems import not_found

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
"""The page loads and calls nothing but this service."""
SECURITY_HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
}
_FOLDER = Path(__file__).parent
_PAGE = (_FOLDER / "page.html", "text/html")
_PARTS = {
    "page.js": (_FOLDER / "page.js", "application/javascript"),
    "page.css": (_FOLDER / "page.css", "text/css"),
    "swagger-ui-bundle.js": (_FOLDER / "swagger-ui" / "swagger-ui-bundle.js", "application/javascript"),
    "swagger-ui.css": (_FOLDER / "swagger-ui" / "swagger-ui.css", "text/css"),
}
"""The files that the page loads."""

router = APIRouter(include_in_schema=False)


@router.get("/docs")
def read_page(request: Request) -> Response:
    """Return the page."""
    return _respond(request, *_PAGE)


@router.get("/docs/{name}")
def read_part(request: Request, name: str) -> Response:
    """Return a script or a style sheet of the page."""
    if name not in _PARTS:
        raise not_found("file")
    return _respond(request, *_PARTS[name])


def _respond(request: Request, path: Path, media_type: str) -> Response:
    return conditional_response(
        request,
        _find_tag(path),
        lambda: _encode(path, read_coding(request.headers)),
        {**OF_ALL, **SECURITY_HEADERS},
        media_type,
    )


# The largest file has 1.7 MB: it is hashed and compressed once, since anybody may ask for it.
@cache
def _find_tag(path: Path) -> str:
    return make_tag(path.read_bytes())


@cache
def _encode(path: Path, coding: Coding | None) -> EncodedBody:
    return encode_body(path.read_bytes(), coding)
