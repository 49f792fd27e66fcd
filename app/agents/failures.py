"""Errors as an agent reads them: what went wrong, and what to do next."""

from collections.abc import Sequence
from typing import Any

from pydantic import ValidationError

from app.agents.tool import cut
from app.client import (
    ApiError,
    BadRequest,
    Conflict,
    Forbidden,
    NotFound,
    RateLimited,
    ServiceFailed,
    TooLarge,
    Unauthorized,
    Unprocessable,
    Unreachable,
    UnsupportedMedia,
)
from app.contract.files import DOCUMENT_FORMAT_NAMES

NEXT_STEPS: tuple[tuple[type[ApiError], str], ...] = (
    (Unauthorized, "Ask the person you work for to set a valid API key (parley keys create)."),
    (Forbidden, "Ask a person with that role to do it in the dashboard."),
    (NotFound, "Check the id: it must come from an earlier answer of these tools for this organisation."),
    (BadRequest, "Correct the named places and call again."),
    (Conflict, "Read the record again before you decide what to do."),
    (TooLarge, "Send less, or let a person upload the file on the Scopes page."),
    (UnsupportedMedia, f"Send a {DOCUMENT_FORMAT_NAMES} file."),
    (
        Unprocessable,
        "Say what is missing to the person you work for; another call with the same data fails too.",
    ),
    (RateLimited, "Wait, then call again."),
    (ServiceFailed, "Try once more in a minute; then give the request id to whoever runs Parley."),
    (Unreachable, "Try once more in a minute."),
)


def describe_failure(error: ApiError) -> str:
    """Return an error of a call as sentences, the last of which says what to do."""
    step = next(
        (step for kind, step in NEXT_STEPS if isinstance(error, kind)), "Tell the person you work for."
    )
    stated: Sequence[Any] = getattr(error, "places", ())
    places = "".join(f" {place.pointer}: {place.detail}." for place in stated[:5])
    if isinstance(error, RateLimited) and error.retry_after is not None:
        step = f"Wait {error.retry_after:.0f} seconds, then call again."
    request = f" (request {error.request_id})" if error.request_id else ""
    return cut(f"{describe_cause(error)}{places} {step}{request}", 1_500)


def describe_cause(error: ApiError) -> str:
    """Return what went wrong, in the service's words where it said any."""
    return error.problem.detail if error.problem else error.message


def describe_arguments(error: ValidationError) -> str:
    """Return what is wrong with the arguments of a tool, by their names. The values are not repeated."""
    faults = [f"{'.'.join(map(str, one['loc'])) or 'arguments'}: {one['msg']}" for one in error.errors()[:5]]
    return cut(f"The arguments are not valid. {'; '.join(faults)}. Correct them and call again.", 1_500)
