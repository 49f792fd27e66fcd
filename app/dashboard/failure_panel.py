"""The panel in place of a part of a page that failed: what failed, why, the request's id, and what to do."""

from collections.abc import Generator
from contextlib import contextmanager

import streamlit as st

from app.client import ApiError
from app.dashboard import navigation
from app.dashboard.failures import Failure, describe_api_error, log_unexpected_error
from app.dashboard.session_values import RETRY_ASKED
from app.dashboard.signing_in import identity
from app.dashboard.signing_in.sessions import SessionEnded
from app.dashboard.slow_service import slow_notice
from components.formatting import escape_markdown


@contextmanager
def failure_panel(what: str, key: str | None = None, *, in_dialog: bool = False) -> Generator[None]:
    """Draw a panel in place of the block if it fails, and a notice while a slow service is waited for; the
    rest of the page is still drawn.

    Put it around each part of a page that can fail by itself, and around the body of a fragment. `what` is
    the subject of the panel's title, such as "The timeline". `in_dialog` tries that part alone again: another
    run of the page would close the dialog.
    """
    key = key or what
    if RETRY_ASKED.pop():
        # In a fragment the button would run that part alone, and leave the panels of other parts standing.
        st.rerun()
    try:
        with slow_notice():
            yield
    except ApiError as error:
        draw_failure(describe_api_error(error, what), key, in_dialog=in_dialog)
    except Exception as error:  # A bug of ours is logged, and its traceback is not shown to a reader.
        draw_failure(log_unexpected_error(error, what), key, in_dialog=in_dialog)


def draw_failure(failure: Failure, key: str, *, in_dialog: bool = False) -> None:
    """Draw the panel. "Try again" runs the page once more, with everything typed still in its fields."""
    with st.container(border=True, key=f"failure-{key}"):
        sign = ":orange[:material/how_to_reg:]" if failure.approval_id else ":red[:material/error:]"
        st.markdown(f"{sign} **{escape_markdown(failure.title)}**")
        st.markdown(escape_markdown(failure.detail))
        for place in failure.places:
            if place.detail.removesuffix(".") in failure.detail:
                continue  # a service may name the first ones in the sentence too
            st.markdown(f"- `{place.pointer or '/'}` {escape_markdown(place.detail)}")
        facts = [
            f"`{failure.call}`" if failure.call else "",
            f"status {failure.status}" if failure.status else "",
            f"request `{failure.request_id}`" if failure.request_id else "",
        ]
        if any(facts):
            st.caption(" · ".join(fact for fact in facts if fact))
        if failure.approval_id:
            navigation.draw_link("approvals", "Approvals", icon="how_to_reg")
        if failure.status == 401:
            st.button(
                "Sign in again",
                key=f"failure-{key}-sign-in",
                on_click=identity.sign_out,
                args=("The service no longer knows the key that you were signed in with.",),
            )
        elif failure.can_retry:
            st.button(
                "Try again",
                key=f"failure-{key}-again",
                icon=":material/refresh:",
                on_click=RETRY_ASKED.set,
                args=(not in_dialog,),
            )


def draw_script_error(error: Exception) -> bool:
    """Draw a panel for an error outside every panel, such as in a callback, in place of a traceback."""
    if isinstance(error, ApiError):
        failure = describe_api_error(error, "This")
    elif isinstance(error, SessionEnded):
        failure = Failure("Please sign in again", identity.SESSION_ENDED, status=401)
    else:
        failure = log_unexpected_error(error, "This")
    draw_failure(failure, "script")
    return True
