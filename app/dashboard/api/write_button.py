"""Every write of the pages: once, however often one clicks, and finished though the server has to stop."""

from collections.abc import Callable
from typing import Any, Literal, TypeVar
from uuid import uuid4

import streamlit as st
from pydantic import ValidationError

from app.client import ActingClient, ApiError
from app.dashboard.api import queries
from app.dashboard.deployment import Deployment
from app.dashboard.faults import describe, draw_fault, not_valid, unforeseen
from app.dashboard.server.inflight_writes import in_flight

Result = TypeVar("Result")
Write = Callable[[ActingClient, str], Result]
"""Makes the call with the client and the idempotency key that it is given."""

_OWN_READS = (
    queries.scopes,
    queries.scope,
    queries.negotiations,
    queries.negotiation,
    queries.escalations,
    queries.timeline,
    queries.savings,
    queries.webhooks,
    queries.webhook_events,
    queries.webhook_event,
)


def perform(deployment: Deployment, name: str, what: str, write: Write[Result]) -> Result | None:
    """Make a write and forget what was read before it. None when it failed: `draw_failure` shows why.

    `name` keeps the idempotency key over tries and reruns until the write is answered. A ValidationError
    from `write`, where contract models check again what a browser lets through, names each wrong field.
    """
    state = st.session_state
    key: str = state.setdefault(f"{name}.idempotency", str(uuid4()))
    state.pop(f"{name}.fault", None)
    try:
        with in_flight.one():
            result = write(queries.client(deployment), key)
    except ApiError as error:
        state[f"{name}.fault"] = describe(error, what)
        # An answered refusal is stored by the service under its key: what is corrected needs another one.
        if error.status is not None and error.status < 500 and error.status != 409:
            state.pop(f"{name}.idempotency", None)
        return None
    except ValidationError as error:
        state[f"{name}.fault"] = not_valid(error, what)
        return None
    except Exception as error:
        state[f"{name}.fault"] = unforeseen(error, what)
        return None
    state.pop(f"{name}.idempotency", None)
    for read in _OWN_READS:
        read.clear()
    return result


def draw_failure(name: str) -> None:
    """The panel of the last try of `name`, if it failed."""
    if fault := st.session_state.get(f"{name}.fault"):
        draw_fault(fault, name)


def write_button(
    deployment: Deployment,
    label: str,
    *,
    name: str,
    what: str,
    write: Write[Any],
    done: Callable[[Any], object] | None = None,
    in_form: bool = False,
    icon: str | None = None,
    type: Literal["primary", "secondary", "tertiary"] = "secondary",
    disabled: bool = False,
    help: str | None = None,
    ready: Callable[[], bool] | None = None,
) -> None:
    """A button that writes: disabled while it runs, then `done(result)`, or the failure under it.

    Two runs: the click marks the write as wanted, the next drawing shows the button disabled and makes the
    call. `done` may change the page (`navigation.go`). What was typed is left alone on failure. `ready` is
    asked at the click, with what was typed up to then; where it says False nothing is sent.
    """
    state = st.session_state
    wanted = f"{name}.wanted"
    draw = st.form_submit_button if in_form else st.button
    draw(
        label,
        key=f"{name}-button",
        on_click=_want,
        args=(wanted, ready),
        icon=icon,
        type=type,
        disabled=disabled or wanted in state,
        help=help,
    )
    if wanted in state:
        with st.spinner(f"{what} …"):
            try:
                result = perform(deployment, name, what, write)
            finally:
                state.pop(wanted, None)
        if f"{name}.fault" not in state and done is not None:
            done(result)
        st.rerun()
    draw_failure(name)


def _want(wanted: str, ready: Callable[[], bool] | None) -> None:
    if ready is None or ready():
        st.session_state[wanted] = True
