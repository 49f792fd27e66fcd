"""Pages of other origins, as browsers let them call (CORS, in the Fetch standard)."""

from collections.abc import Collection

from starlette.datastructures import Headers
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from app.service.http.error_responses import problem_response
from app.service.http.problems import ApiProblem
from app.service.ids import new_id

SHOWN_LENGTH = 200
"""Of an origin that is refused, in characters."""


class CrossOriginMiddleware(CORSMiddleware):
    """Middleware that answers preflights, and lets pages of `origins` read every response with its headers.
    It never allows the credentials that a browser adds by itself: a page sends its key in a header."""

    def __init__(self, app: ASGIApp, origins: Collection[str]) -> None:
        super().__init__(app, origins, allow_methods=["*"], allow_headers=["*"], expose_headers=["*"])

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] == "OPTIONS":
            headers = Headers(scope=scope)
            origin = headers.get("origin", "")
            is_preflight = "origin" in headers and "access-control-request-method" in headers
            if is_preflight and not self.is_allowed_origin(origin):
                response = problem_response(Request({**scope, "request_id": new_id()}), _refuse(origin))
                await response(scope, receive, send)
                return
        await super().__call__(scope, receive, send)


def _refuse(origin: str) -> ApiProblem:
    detail = (
        f"Pages of {origin[:SHOWN_LENGTH]} may not call this service: it is not among the origins that its "
        "operator has listed in PARLEY_CORS_ORIGINS."
    )
    return ApiProblem(403, detail, headers={"Vary": "Origin"})
