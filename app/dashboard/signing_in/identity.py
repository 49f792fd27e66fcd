"""Who is signed in, in this browser session and after a refresh of it."""

import streamlit as st

from app.dashboard.deployment import Deployment
from app.dashboard.server import configuration
from app.dashboard.signing_in.sessions import COOKIE, sessions, tickets

_DEPLOYMENT = "parley.deployment"
_TICKET = "parley.ticket"
_SIGNED_OUT = "parley.signed-out"
_FAREWELL = "parley.farewell"


def signed_in() -> Deployment | None:
    """The deployment of this browser session: from its state, else from the cookie of an earlier one."""
    state = st.session_state
    if _DEPLOYMENT in state:
        return state[_DEPLOYMENT]
    if _SIGNED_OUT in state:
        # `st.context` still holds the cookie that this connection was opened with.
        return None
    session = sessions().open(st.context.cookies.get(COOKIE))
    if session is None or session.deployment.base_url not in configuration.deployments():
        return None
    state[_DEPLOYMENT] = session.deployment
    return session.deployment


def current() -> Deployment:
    """The deployment that a page works on. Pages run only when somebody is signed in."""
    deployment = signed_in()
    if deployment is None:
        st.stop()
    return deployment


def enter(deployment: Deployment) -> None:
    """Sign in with `deployment`, whose key the service knows, and let the browser remember it."""
    state = st.session_state
    for key in (_SIGNED_OUT, _FAREWELL):
        state.pop(key, None)
    state[_DEPLOYMENT] = deployment
    state[_TICKET] = tickets().issue(deployment)


def sign_out(farewell: str = "") -> None:
    """Forget the key, here and in the browser; `farewell` says why on the sign-in page."""
    state = st.session_state
    for key in list(state):
        del state[key]
    state[_SIGNED_OUT] = True
    state[_FAREWELL] = farewell
    state[_TICKET] = ""


def farewell() -> str:
    """Why somebody was signed out, "" when they chose to or never were in."""
    text: str = st.session_state.get(_FAREWELL, "")
    return text


def hand_ticket_to_browser() -> None:
    """Let the browser fetch its cookie, or drop it, when one signed in or out since the last run."""
    ticket: str | None = st.session_state.pop(_TICKET, None)
    if ticket is None:
        return
    route = "remember" if ticket else "forget"
    # Markup of ours alone: the ticket is random base64url. The header keeps foreign pages from posting it.
    st.html(
        f"<script>fetch(new URL('session/{route}', document.baseURI), {{"
        f"method: 'POST', headers: {{'x-parley-ticket': '{ticket}'}}, credentials: 'same-origin'}})</script>",
        unsafe_allow_javascript=True,
    )
