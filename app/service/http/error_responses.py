"""Every error as problem details (RFC 9457): from a refusal, from the framework, from a bug."""

import logging
import re
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from app.contract.catalog import EntryCandidate
from app.contract.problem import MEDIA_TYPE, Place, Problem, Trace
from app.service.database.faults import StoreFault, find_store_fault
from app.service.http.problems import ApiProblem, InvalidField

logger = logging.getLogger("parley.service")

_STORE_FAULTS: dict[StoreFault, tuple[str, int]] = {
    StoreFault.FULL: ("The service has no room left on its disk; nothing was changed.", 30),
    StoreFault.AWAY: ("The service cannot reach its database; nothing was changed. Try again.", 5),
    StoreFault.BUSY: ("The database is too busy to answer in time; nothing was changed. Try again.", 5),
    StoreFault.UNKNOWN: (
        "The connection to the database was lost while the change was being stored: it may be stored or not. "
        "Send the call again with the same Idempotency-Key, which never does it twice; without one, look "
        "first whether it was done.",
        5,
    ),
}
"""The sentence for each fault of the store, and the seconds after which a caller may try again."""


def problem_response(request: Request, error: Exception) -> Response:
    """The answer to an error that a request ended in."""
    if isinstance(error, RequestValidationError):
        return _render(request, 400, "The request is not valid.", errors=_find_invalid_fields(error))
    if isinstance(error, ApiProblem):
        return _render(
            request,
            error.status_code,
            error.detail,
            title=error.title,
            errors=list(error.errors),
            candidates=list(error.candidates),
            headers=dict(error.headers or {}),
        )
    if isinstance(error, HTTPException):
        headers = dict(error.headers or {})
        if error.status_code == 404:
            return _render(request, 404, "There is nothing at this path.")
        if error.status_code == 405:
            headers["Allow"] = ", ".join(find_allowed_methods(request.app, request.url.path))
            return _render(request, 405, "This path does not take this method.", headers=headers)
        return _render(request, error.status_code, error.detail, headers=headers)
    fault = find_store_fault(error)
    if fault is not None:
        detail, seconds = _STORE_FAULTS[fault]
        logger.error("request %s: the database is %s: %s", get_request_id(request), fault, error)
        return _render(request, 503, detail, headers={"Retry-After": str(seconds)})
    logger.error("request %s failed", get_request_id(request), exc_info=error)
    return _render(request, 500, "The service failed. The request id finds the reason in its log.")


def get_request_id(request: Request) -> str:
    request_id: str = request.scope.get("request_id", "")
    return request_id


def find_allowed_methods(app: FastAPI, path: str) -> list[str]:
    """The methods that a path takes, as its description lists them."""
    methods: set[str] = set()
    for template, operations in app.openapi()["paths"].items():
        if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", template), path):
            methods |= {method.upper() for method in operations if method != "parameters"}
    return sorted(methods | ({"HEAD"} if "GET" in methods else set()))


def _render(
    request: Request,
    status: int,
    detail: str,
    *,
    title: str | None = None,
    errors: list[InvalidField] | None = None,
    candidates: list[EntryCandidate] | None = None,
    headers: dict[str, str] | None = None,
) -> Response:
    problem = Problem(
        type="about:blank",
        title=title or HTTPStatus(status).phrase,
        status=status,
        detail=detail,
        instance=request.url.path,
        trace=Trace(timestamp=datetime.now(UTC), request_id=get_request_id(request)),
        errors=[Place(pointer=wrong.pointer, detail=wrong.detail) for wrong in errors or []] or None,
        candidates=candidates or None,
    )
    return JSONResponse(problem.wire(), status, headers, media_type=MEDIA_TYPE)


def _find_invalid_fields(error: RequestValidationError) -> list[InvalidField]:
    places: list[InvalidField] = []
    for found in error.errors():
        where, *path = found["loc"]
        pointer = _json_pointer(path) if where == "body" else str(path[0]) if path else str(where)
        wrong = InvalidField(pointer, _message_of(found))
        if wrong not in places:
            places.append(wrong)
    return places


def _json_pointer(path: list[Any]) -> str:
    """RFC 6901. Names of union members, which pydantic adds to a location, are no keys of the body."""
    steps = [str(step) for step in path if isinstance(step, int) or not _is_type_tag(step)]
    return "".join("/" + step.replace("~", "~0").replace("/", "~1") for step in steps)


def _is_type_tag(step: str) -> bool:
    return "[" in step or step in {"str", "int", "float", "decimal", "constrained-str"}


def _message_of(found: dict[str, Any]) -> str:
    message: str = found["msg"]
    return message.removeprefix("Value error, ")
