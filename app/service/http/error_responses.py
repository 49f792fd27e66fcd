"""Every error as problem details (RFC 9457): from a refusal, from the framework, from a bug."""

import logging
from collections.abc import Sequence
from datetime import UTC, datetime
from http import HTTPStatus
from typing import cast

from fastapi.exceptions import RequestValidationError
from pydantic_core import ErrorDetails
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from app.contract.problem import MEDIA_TYPE, EntryCandidate, Place, Problem, Trace
from app.contract.validation_messages import describe_fault
from app.service.database.faults import StoreFault, find_store_fault
from app.service.http.problems import ApiProblem, InvalidField
from app.service.storage.file_storage import DamagedFile, StorageFault, StorageProblem

logger = logging.getLogger("parley.service")

MOST_NAMED = 3
"""How many of the invalid fields `detail` names."""
MAX_NAMED_LENGTH = 300
"""Of each of them, in characters."""
MAX_PLACE_LENGTH = 1_000
"""Of a place and of what is wrong there, in characters."""
MOST_ERRORS = 100
"""How many of the invalid fields a response has: a body may have as many as it has bytes."""

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
"""The sentence for each fault of the database, and the seconds after which a caller may try again."""

_STORAGE_PROBLEMS: dict[StorageProblem, tuple[str, int]] = {
    StorageProblem.FULL: ("There is no room left for files; nothing was changed.", 30),
    StorageProblem.AWAY: ("The service cannot use its files now; nothing was changed. Try again.", 5),
    StorageProblem.REFUSED: (
        "The store of files refuses the service; nothing was changed. The log of the service says why.",
        30,
    ),
}
"""The same for the store of files."""


def problem_response(request: Request, error: Exception) -> Response:
    """The answer to an error that a request ended in."""
    if isinstance(error, RequestValidationError):
        return _render(
            request,
            400,
            "The request is not valid.",
            errors=find_invalid_fields(cast(list[ErrorDetails], error.errors())),
        )
    if isinstance(error, ApiProblem):
        return _render(
            request,
            error.status_code,
            error.detail,
            title=error.title,
            errors=list(error.errors),
            candidates=list(error.candidates),
            approval_id=error.approval_id,
            headers=dict(error.headers or {}),
        )
    if isinstance(error, HTTPException):
        headers = dict(error.headers or {})
        if error.status_code == 404:
            return _render(request, 404, "There is nothing at this path.")
        if error.status_code == 405:
            return _render(request, 405, "This path does not take this method.", headers=headers)
        return _render(request, error.status_code, error.detail, headers=headers)
    if isinstance(error, StorageFault):
        detail, seconds = _STORAGE_PROBLEMS[error.problem]
        logger.error("request %s: files cannot be used: %s", get_request_id(request), error)
        return _render(request, 503, detail, headers={"Retry-After": str(seconds)})
    if isinstance(error, DamagedFile):
        logger.error("request %s: %s", get_request_id(request), error)
        return _render(request, 500, "The file is damaged: its bytes are not those that were uploaded.")
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


def _render(
    request: Request,
    status: int,
    detail: str,
    *,
    title: str | None = None,
    errors: list[InvalidField] | None = None,
    candidates: list[EntryCandidate] | None = None,
    approval_id: str | None = None,
    headers: dict[str, str] | None = None,
) -> Response:
    problem = Problem(
        type="about:blank",
        title=title or HTTPStatus(status).phrase,
        status=status,
        detail=_name_first(detail, errors or []),
        instance=request.url.path,
        trace=Trace(timestamp=datetime.now(UTC), request_id=get_request_id(request)),
        errors=[
            Place(pointer=_shorten(wrong.pointer), detail=_shorten(wrong.detail))
            for wrong in (errors or [])[:MOST_ERRORS]
        ]
        or None,
        candidates=candidates or None,
        approval_id=approval_id,
    )
    return JSONResponse(problem.wire(), status, headers, media_type=MEDIA_TYPE)


def _name_first(detail: str, errors: Sequence[InvalidField]) -> str:
    """`detail` with the first invalid fields, for callers that show nothing else."""
    named = [wrong.sentence() for wrong in errors if wrong.detail != detail]
    if not named:
        return detail
    shown = [_shorten(one, MAX_NAMED_LENGTH) for one in named[:MOST_NAMED]]
    more = [f"and {len(named) - MOST_NAMED} more"] if len(named) > MOST_NAMED else []
    return f"{detail} {'; '.join(shown + more)}."


def _shorten(text: str, most: int = MAX_PLACE_LENGTH) -> str:
    return text if len(text) <= most else f"{text[:most]}…"


def find_invalid_fields(errors: Sequence[ErrorDetails]) -> list[InvalidField]:
    """The places that are invalid. The first step of a location is `body` or the kind of a parameter."""
    reasons: dict[str, list[str]] = {}
    for error in errors:
        where, *path = error["loc"]
        pointer = json_pointer(path) if where == "body" else str(path[0]) if path else str(where)
        reason = describe_fault(error)
        if reason not in reasons.setdefault(pointer, []):
            reasons[pointer].append(reason)
    # Several reasons in one place are those of the members of a union.
    return [InvalidField(pointer, ", or ".join(all_of_it)) for pointer, all_of_it in reasons.items()]


def json_pointer(path: Sequence[int | str]) -> str:
    """RFC 6901. Names of union members, which pydantic adds to a location, are no keys of the body."""
    steps = [str(step) for step in path if isinstance(step, int) or not _is_type_tag(step)]
    return "".join("/" + step.replace("~", "~0").replace("/", "~1") for step in steps)


def _is_type_tag(step: str) -> bool:
    return "[" in step or step in {"str", "int", "float", "decimal", "constrained-str", "date", "datetime"}
