"""The page `/docs`: the description of `/v1/openapi` to read and to try, drawn by Swagger UI in the browser.
It needs no key, as the description needs none; whoever tries an operation enters one."""

from functools import cache
from pathlib import Path

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.service.http.conditional_get import OF_ALL, PublishedDocument
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
    return _publish(*_PAGE).respond(request)


@router.get("/docs/{name}")
def read_part(request: Request, name: str) -> Response:
    """Return a script or a style sheet of the page."""
    if name not in _PARTS:
        raise not_found("file")
    return _publish(*_PARTS[name]).respond(request)


# The largest file has 1.7 MB: it is hashed and compressed once, since anybody may ask for it.
@cache
def _publish(path: Path, media_type: str) -> PublishedDocument:
    return PublishedDocument(path.read_bytes(), media_type, {**OF_ALL, **SECURITY_HEADERS})
