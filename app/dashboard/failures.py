"""What a reader is told when a call to the service or a part of a page fails."""

import logging
from dataclasses import dataclass
from secrets import token_hex

from pydantic import ValidationError

from app.client import (
    ApiError,
    BadRequest,
    Conflict,
    Forbidden,
    NotAllowed,
    NotFound,
    RateLimited,
    Refused,
    TimedOut,
    TooLarge,
    Unauthorized,
    UnexpectedReply,
    Unreachable,
    Unsendable,
    UnsupportedMedia,
)
from app.contract.problem import Place
from app.contract.validation_messages import describe_fault

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Failure:
    """An error in words for the reader. `status` is None when no answer came; `places` are the parts of the
    request that the service refused."""

    title: str
    detail: str
    status: int | None = None
    request_id: str | None = None
    call: str = ""
    places: tuple[Place, ...] = ()
    can_retry: bool = True
    approval_id: str | None = None
    """Of what waits for another person, and has not failed."""


_TITLES: tuple[tuple[type[ApiError], str, bool], ...] = (
    (NotFound, "was not found", False),
    (Unsendable, "was not found", False),
    (Unauthorized, "requires signing in again", False),
    (Forbidden, "is not allowed with this key", False),
    (NotAllowed, "is not offered by this workspace", False),
    (BadRequest, "was not accepted", False),
    (TooLarge, "was not accepted", False),
    (UnsupportedMedia, "was not accepted", False),
    (Conflict, "conflicts with the current state", True),
    (RateLimited, "was refused for now", True),
    (TimedOut, "took too long", True),
    (Unreachable, "failed", True),
    (UnexpectedReply, "returned a response that the dashboard cannot read", True),
    (Refused, "failed", True),
)
"""The end of the title for each class of error, and whether trying again can help. The first match counts."""


def describe_api_error(error: ApiError, what: str) -> Failure:
    """Return the failure of a call; `what` is the subject of its title, such as "This company"."""
    ending, can_retry = next(
        ((ending, again) for kind, ending, again in _TITLES if isinstance(error, kind)), ("failed", True)
    )
    if isinstance(error, Conflict) and error.approval_id:
        return Failure(
            f"{what} waits for another person",
            _explain(error),
            can_retry=False,
            approval_id=error.approval_id,
        )
    detail = _explain(error)
    places = error.places if isinstance(error, Refused) else ()
    return Failure(
        title=f"{what} {ending}",
        detail=detail,
        status=error.status,
        request_id=error.request_id,
        call=f"{error.method} {error.path}".strip(),
        places=tuple(places),
        can_retry=can_retry,
    )


def _explain(error: ApiError) -> str:
    if isinstance(error, NotFound | Unsendable):
        return "It may have been removed, the address may be wrong, or it belongs to another organisation."
    if isinstance(error, Unauthorized):
        return "The service does not know the key that you signed in with; it may have been revoked."
    if isinstance(error, RateLimited):
        wait = f" Try again in {error.retry_after:.0f} s." if error.retry_after else ""
        return f"Too many requests were made with this key.{wait}"
    if error.problem is not None and error.problem.detail:
        return error.problem.detail
    return error.message


def describe_invalid_body(error: ValidationError, what: str) -> Failure:
    """Return the failure of a request body that the contract refuses before anything is sent."""
    places = tuple(
        Place(pointer="".join(f"/{part}" for part in wrong["loc"]), detail=describe_fault(wrong))
        for wrong in error.errors(include_url=False, include_input=False)
    )
    return Failure(f"{what} needs a correction", "Nothing was sent.", places=places, can_retry=False)


def log_unexpected_error(error: Exception, what: str) -> Failure:
    """Log a bug of the dashboard under an id that the reader can report, and return it as a failure."""
    incident = token_hex(6)
    _log.error("%s failed, incident %s", what, incident, exc_info=error)
    return Failure(
        f"{what} failed", "This is a bug in the dashboard; it has been logged.", request_id=incident
    )
