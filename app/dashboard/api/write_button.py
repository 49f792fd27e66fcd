"""The button behind every write of the pages. A write is made once, however often one clicks, and is finished
though the server has to stop."""

from collections.abc import Callable
from typing import Any, Literal, TypeVar
from uuid import uuid4

import streamlit as st
from pydantic import ValidationError

from app.client import ApiError, ScopedClient
from app.dashboard.api import queries
from app.dashboard.api.cached_read import clear_own_reads
from app.dashboard.deployment import Deployment
from app.dashboard.failure_panel import draw_failure
from app.dashboard.failures import describe_api_error, describe_invalid_body, log_unexpected_error
from app.dashboard.server.inflight_writes import inflight_writes
from app.dashboard.session_values import idempotency_key, requested_writes, write_failure
from app.dashboard.slow_service import without_notice
from components.elements.tabs import hold_tabs, release_tabs
from components.formatting import to_symbol

Result = TypeVar("Result")
Write = Callable[[ScopedClient, str], Result]
"""Makes the call with the client and the idempotency key that it is given."""


def perform_write(deployment: Deployment, name: str, what: str, write: Write[Result]) -> Result | None:
    """Make a write and clear the cached reads that it may change. None when it failed: `draw_write_failure`
    shows why.

    `name` keeps the idempotency key over tries and reruns until the write is answered. A ValidationError
    from `write`, where contract models check again what a browser lets through, names each wrong field.
    """
    key = idempotency_key(name)
    failure = write_failure(name)
    failure.pop()
    try:
        with inflight_writes.track():
            result = write(queries.writing_client_for(deployment), key.get_or_set(str(uuid4())))
    except ApiError as error:
        failure.set(describe_api_error(error, what))
        # The service stores an answered refusal under its key: a corrected request needs another one.
        if error.status is not None and error.status < 500 and error.status != 409:
            key.pop()
        return None
    except ValidationError as error:
        failure.set(describe_invalid_body(error, what))
        return None
    except Exception as error:
        failure.set(log_unexpected_error(error, what))
        return None
    key.pop()
    clear_own_reads()
    return result


def draw_write_failure(name: str) -> None:
    """Draw the panel of the last try of the write `name`, if it failed."""
    if failure := write_failure(name).get():
        draw_failure(failure, name)


def write_button(
    deployment: Deployment,
    label: str,
    *,
    name: str,
    what: str,
    write: Write[Any],
    on_success: Callable[[Any], object] | None = None,
    icon: str | None = None,
    type: Literal["primary", "secondary", "tertiary"] = "secondary",
    disabled: bool = False,
    help: str | None = None,
    is_ready: Callable[[], bool] | None = None,
    operation: str | None = None,
) -> None:
    """Draw a button that writes: disabled while it runs, then `on_success(result)`, or the failure under it.
    `icon` is the name of a Material symbol.

    `operation` is the call (`POST /v1/webhooks`): nothing is drawn where the deployment lacks it or the key
    may only read; for another role than it takes the button stays disabled and says why and who may.

    Two runs: the click marks the write as requested, the next drawing shows the button disabled and makes the
    call, though another tab was opened meanwhile. `on_success` may change the page (`navigation.open_page`).
    What was typed stays on failure. `is_ready` is called at the click, with what was typed up to then; where
    it returns False nothing is sent.
    """
    if operation is not None and not queries.has_operation(deployment, operation):
        return
    is_requested = name in requested_writes()
    refusal = queries.find_refusal(deployment, operation)
    st.button(
        label,
        key=f"{name}-button",
        on_click=_request_write,
        args=(name, label, is_ready),
        icon=to_symbol(icon),
        type=type,
        disabled=disabled or is_requested or refusal is not None,
        help=refusal or help,
    )
    if is_requested:
        with st.spinner(f"{what} …"), without_notice():
            try:
                result = perform_write(deployment, name, what, write)
            finally:
                requested_writes().pop(name, None)
                release_tabs()
        if not write_failure(name).is_set and on_success is not None:
            on_success(result)
        st.rerun()
    draw_write_failure(name)


def confirmed_write(
    deployment: Deployment,
    label: str,
    question: str,
    *,
    confirm: str,
    name: str,
    what: str,
    write: Write[Any],
    icon: str,
    on_success: Callable[[Any], object] | None = None,
    operation: str | None = None,
    warning: str = "",
) -> None:
    """Draw a button that asks `question` (Markdown), and the button `confirm` below it, which writes as
    `write_button` says."""
    if operation is not None and not queries.has_operation(deployment, operation):
        return
    popover = st.popover(label, icon=to_symbol(icon), key=f"{name}-popover", on_change="rerun")
    if not popover.open and name not in requested_writes():
        return
    with popover:
        st.markdown(question)
        if warning:
            st.warning(warning, icon=":material/warning:")
        write_button(
            deployment,
            confirm,
            name=name,
            what=what,
            write=write,
            on_success=on_success,
            type="primary",
            operation=operation,
        )


def _request_write(name: str, label: str, is_ready: Callable[[], bool] | None) -> None:
    if is_ready is None or is_ready():
        requested_writes()[name] = label
        hold_tabs()


def drop_lost_clicks() -> None:
    """Forget the writes whose buttons the page that was just drawn no longer has, since somebody else changed
    what it shows, and say so. Called at the end of a run: such a write must not be made, unasked, when a
    button of that name is drawn next."""
    lost = requested_writes()
    if lost and release_tabs():
        st.rerun()  # the open tab is to be drawn
    for label in lost.values():
        st.toast(
            f"**{label}** was not done: what this page showed has changed since. See what it shows now.",
            icon=":material/warning:",
            duration="infinite",
        )
    lost.clear()
