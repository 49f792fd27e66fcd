"""Who is signed in, in this browser session and after a refresh of it."""

import json

import streamlit as st

from app.dashboard.deployment import Deployment
from app.dashboard.server import configuration
from app.dashboard.session_values import (
    BROWSER_TICKET,
    PROVIDER_SIGN_OUT,
    SIGN_IN_REFUSAL,
    SIGN_OUT_REASON,
    SIGNED_IN_DEPLOYMENT,
    clear_session,
)
from app.dashboard.signing_in import service_sessions
from app.dashboard.signing_in.sessions import COOKIE, session_store

SESSION_ENDED = (
    "You were signed out. It was done in another tab, the session was not used for long, or its key was "
    "revoked. What you had not saved has to be entered again."
)


def find_deployment() -> Deployment | None:
    """Return the deployment of this browser session, else that of the browser's cookie; None when its session
    ended, in whichever tab, or its address is no longer listed."""
    deployment = SIGNED_IN_DEPLOYMENT.get()
    if deployment is not None and not session_store().is_live(deployment):
        sign_out(SESSION_ENDED)
    elif deployment is None:
        # The cookie that this connection was opened with: after signing out, one whose session is over.
        deployment = session_store().find(st.context.cookies.get(COOKIE))
        if deployment is None or deployment.base_url not in configuration.allowed_addresses():
            return None
        SIGNED_IN_DEPLOYMENT.set(deployment)
    return SIGNED_IN_DEPLOYMENT.get()


def require_deployment() -> Deployment:
    """Return the deployment that a page works on. Pages run only when somebody is signed in."""
    deployment = find_deployment()
    if deployment is None:
        st.stop()
    return deployment


def sign_in(deployment: Deployment) -> None:
    """Sign in with `deployment`, whose key the service knows, and let the browser remember it. Raises
    ApiError."""
    for value in (SIGN_OUT_REASON, SIGN_IN_REFUSAL):
        value.pop()
    started, ticket = session_store().start(service_sessions.start_session(deployment))
    SIGNED_IN_DEPLOYMENT.set(started)
    BROWSER_TICKET.set(ticket)


def sign_out(reason: str = "") -> None:
    """End the session in every tab, and let the browser drop its cookie and sign out of the identity provider
    too; the sign-in page shows `reason`."""
    deployment = SIGNED_IN_DEPLOYMENT.get()
    url = session_store().end(deployment) if deployment is not None else None
    clear_session()
    SIGN_OUT_REASON.set(reason)
    PROVIDER_SIGN_OUT.set(url or "")
    BROWSER_TICKET.set("")


def hand_ticket_to_browser() -> None:
    """Let the browser fetch its cookie, or drop it, when one signed in or out since the last run."""
    ticket = BROWSER_TICKET.pop()
    if ticket is None:
        return
    route = "remember" if ticket else "forget"
    url = PROVIDER_SIGN_OUT.pop()
    # As JSON without a "<", so that no text of the provider ends the script.
    address = json.dumps(url).replace("<", "\\u003c")
    then = f".finally(() => location.assign({address}))" if url else ""
    # The ticket is base64url. The header keeps foreign pages from posting it.
    st.html(
        f"<script>fetch(new URL('session/{route}', document.baseURI), {{method: 'POST', headers: "
        f"{{'x-parley-ticket': '{ticket}'}}, credentials: 'same-origin'}}){then}</script>",
        unsafe_allow_javascript=True,
    )


RELOAD_SCRIPT = """
if (!window.parleyReloadsAfterRefusedUpload) {
  window.parleyReloadsAfterRefusedUpload = true;
  const send = XMLHttpRequest.prototype.send;
  XMLHttpRequest.prototype.send = function (...body) {
    this.addEventListener('load', () => {
      if (this.status === 401 && this.responseURL.includes('/_stcore/upload_file/')) location.reload();
    });
    return send.apply(this, body);
  };
}
"""
"""The browser loads the page anew, and so finds the sign-in page, when an upload is refused since the session
ended. Streamlit would show "AxiosError: Request failed with status code 401"."""
