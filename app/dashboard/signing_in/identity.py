"""Who is signed in, in this browser session and after a refresh of it."""

import streamlit as st

from app.dashboard.deployment import Deployment
from app.dashboard.server import configuration
from app.dashboard.session_values import (
    BROWSER_TICKET,
    IS_SIGNED_OUT,
    SIGN_IN_REFUSAL,
    SIGN_OUT_REASON,
    SIGNED_IN_DEPLOYMENT,
    clear_session,
)
from app.dashboard.signing_in.sessions import COOKIE, session_sealer, ticket_store


def find_deployment() -> Deployment | None:
    """Return the deployment of this browser session, else that of the cookie of an earlier one."""
    deployment = SIGNED_IN_DEPLOYMENT.get()
    if deployment is not None:
        return deployment
    if IS_SIGNED_OUT.get():
        # `st.context` still holds the cookie that this connection was opened with.
        return None
    session = session_sealer().open(st.context.cookies.get(COOKIE))
    if session is None or session.deployment.base_url not in configuration.allowed_addresses():
        return None
    SIGNED_IN_DEPLOYMENT.set(session.deployment)
    return session.deployment


def require_deployment() -> Deployment:
    """Return the deployment that a page works on. Pages run only when somebody is signed in."""
    deployment = find_deployment()
    if deployment is None:
        st.stop()
    return deployment


def sign_in(deployment: Deployment) -> None:
    """Sign in with `deployment`, whose key the service knows, and let the browser remember it."""
    for value in (IS_SIGNED_OUT, SIGN_OUT_REASON, SIGN_IN_REFUSAL):
        value.pop()
    SIGNED_IN_DEPLOYMENT.set(deployment)
    BROWSER_TICKET.set(ticket_store().issue(deployment))


def sign_out(reason: str = "") -> None:
    """Forget the key, here and in the browser; the sign-in page shows `reason`."""
    clear_session()
    IS_SIGNED_OUT.set(True)
    SIGN_OUT_REASON.set(reason)
    BROWSER_TICKET.set("")


def hand_ticket_to_browser() -> None:
    """Let the browser fetch its cookie, or drop it, when one signed in or out since the last run."""
    ticket = BROWSER_TICKET.pop()
    if ticket is None:
        return
    route = "remember" if ticket else "forget"
    # Markup of ours alone: the ticket is random base64url. The header keeps foreign pages from posting it.
    st.html(
        f"<script>fetch(new URL('session/{route}', document.baseURI), {{"
        f"method: 'POST', headers: {{'x-parley-ticket': '{ticket}'}}, credentials: 'same-origin'}})</script>",
        unsafe_allow_javascript=True,
    )
