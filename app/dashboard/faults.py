"""What went wrong, as a panel: what failed, why, the request's id, and the way on."""

import logging
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from secrets import token_hex

import streamlit as st
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
    Unauthorized,
    UnexpectedReply,
    Unreachable,
    Unsendable,
)
from app.contract.problem import Place
from app.dashboard.signing_in import identity

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Fault:
    """An error as a person is told of it. `status` is None when no answer came."""

    title: str
    detail: str
    status: int | None = None
    request_id: str | None = None
    call: str = ""
    places: tuple[Place, ...] = ()
    worth_retrying: bool = True


_TITLES: tuple[tuple[type[ApiError], str, bool], ...] = (
    (NotFound, "is not there", False),
    (Unsendable, "is not there", False),
    (Unauthorized, "needs a new sign-in", False),
    (Forbidden, "is not allowed with this key", False),
    (NotAllowed, "is not offered by this deployment", False),
    (BadRequest, "was not understood", False),
    (Conflict, "does not fit the present state", True),
    (RateLimited, "has to wait", True),
    (TimedOut, "took too long", True),
    (Unreachable, "could not be reached", True),
    (UnexpectedReply, "was answered in a way that we cannot read", True),
    (Refused, "failed", True),
)
"""The end of the title for each class of error, and whether trying again can help. First match counts."""


def describe(error: ApiError, what: str) -> Fault:
    """`what` is the subject of the title: "This company", "Starting the negotiation"."""
    ending, worth_retrying = next(
        ((ending, again) for kind, ending, again in _TITLES if isinstance(error, kind)), ("failed", True)
    )
    return Fault(
        title=f"{what} {ending}",
        detail=_detail(error),
        status=error.status,
        request_id=error.request_id,
        call=f"{error.method} {error.path}".strip(),
        places=tuple(error.places) if isinstance(error, Refused) else (),
        worth_retrying=worth_retrying,
    )


def _detail(error: ApiError) -> str:
    if isinstance(error, NotFound | Unsendable):
        return "It may have been removed, the address may be wrong, or it belongs to another organization."
    if isinstance(error, Unauthorized):
        return "The service does not know the key that you signed in with; it may have been revoked."
    if isinstance(error, RateLimited):
        wait = f" Try again in {error.retry_after:.0f} s." if error.retry_after else ""
        return f"Too many requests with this key.{wait}"
    if error.problem is not None and error.problem.detail:
        return error.problem.detail
    return error.message


def draw_fault(fault: Fault, key: str) -> None:
    """Draw the panel. "Try again" runs the page once more, with everything typed still there."""
    with st.container(border=True, key=f"fault-{key}"):
        st.markdown(f":red[:material/error:] **{_escaped(fault.title)}**")
        st.markdown(_escaped(fault.detail))
        for place in fault.places:
            st.markdown(f"- `{place.pointer or '/'}` {_escaped(place.detail)}")
        facts = [
            f"`{fault.call}`" if fault.call else "",
            f"status {fault.status}" if fault.status else "",
            f"request `{fault.request_id}`" if fault.request_id else "",
        ]
        if any(facts):
            st.caption(" · ".join(fact for fact in facts if fact))
        if fault.status == 401:
            st.button(
                "Sign in again",
                key=f"fault-{key}-sign-in",
                on_click=identity.sign_out,
                args=("The service no longer knows the key that you were signed in with.",),
            )
        elif fault.worth_retrying:
            st.button("Try again", key=f"fault-{key}-again", icon=":material/refresh:")


@contextmanager
def shown_as_panel(what: str, key: str | None = None) -> Generator[None]:
    """Whatever fails in the block becomes a panel in its place; the rest of the page stands.

    Put it around each part of a page that can fail by itself, and around the body of a fragment.
    """
    key = key or what
    try:
        yield
    except ApiError as error:
        draw_fault(describe(error, what), key)
    except Exception as error:  # What we did wrong ourselves is logged, and not shown to a reader.
        draw_fault(unforeseen(error, what), key)


def not_valid(error: ValidationError, what: str) -> Fault:
    """What the contract refuses before anything is sent."""
    places = tuple(
        Place(pointer="".join(f"/{part}" for part in wrong["loc"]), detail=wrong["msg"])
        for wrong in error.errors(include_url=False, include_input=False, include_context=False)
    )
    return Fault(f"{what} needs a correction", "Nothing was sent.", places=places, worth_retrying=False)


def unforeseen(error: Exception, what: str) -> Fault:
    """Log a mistake of ours under an id that the reader can report."""
    incident = token_hex(6)
    _log.error("%s failed, incident %s", what, incident, exc_info=error)
    return Fault(f"{what} failed", "This is a mistake of the dashboard; it was logged.", request_id=incident)


def on_script_error(error: Exception) -> bool:
    """For what escapes every panel, such as a mistake in a callback: a panel instead of a traceback."""
    if isinstance(error, ApiError):
        draw_fault(describe(error, "This"), "script")
    else:
        draw_fault(unforeseen(error, "This"), "script")
    return True


def _escaped(text: str) -> str:
    """Foreign text on one line, without what Markdown would interpret."""
    return "".join(f"\\{c}" if c in r"\`*_{}[]()<>#+-!|~$:&" else c for c in " ".join(text.split()))
