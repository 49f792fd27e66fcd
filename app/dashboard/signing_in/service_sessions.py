"""The sessions that the service keeps: a session's token takes the place of the API key, for a person as for
a key. Every dashboard finds such a session, on whichever host, and the service ends it for all of them.

A deployment that knows no sessions is worked on with the API key itself.
"""

import time
from contextlib import suppress
from dataclasses import replace
from threading import Lock

from app.client import (
    ApiClient,
    ApiError,
    Conflict,
    Credentials,
    NotAllowed,
    NotFound,
    ScopedClient,
    Unauthorized,
)
from app.client.send import Timeouts
from app.contract.sign_in import SESSION_PREFIX, SignInAnswer, SignInOptions, StartedSignIn
from app.dashboard.deployment import Deployment

LIVE_SECONDS = 5.0
"""How long a session is taken for live after the service said so; the service itself refuses its calls at
once."""
CHECK_SECONDS = 2.0
"""How long the service is asked whether a session is live: a page waits for it before it draws anything."""
UNANSWERED_SECONDS = 20.0
"""How long a session is taken for live after the service gave no answer. Each read of a page asks; to wait
every time would take many times as long as a page promises."""
CALL_SECONDS = 15.0
MAX_CHECKS = 10_000

_checks: dict[str, float] = {}
"""Until when each session is taken for live."""
_clients: dict[str, ApiClient] = {}
_lock = Lock()


def is_kept_by_service(deployment: Deployment) -> bool:
    """Whether the deployment's session is one that its service keeps."""
    return deployment.api_key.startswith(SESSION_PREFIX)


def start_session(deployment: Deployment) -> Deployment:
    """Return the deployment with a session in place of its API key, and with the key itself where the
    deployment knows no sessions; and with what the key may do. Raises ApiError."""
    with suppress(NotFound, NotAllowed):
        token = _act_for(deployment).sign_in.start_session().token
        deployment = replace(deployment, api_key=token)
    return _add_rights(deployment)


def _add_rights(deployment: Deployment) -> Deployment:
    """Return the deployment with what the service says that the key or person may do; one that says nothing
    about keys refuses what a key may not do when it is tried."""
    try:
        access = _act_for(deployment).access.read()
    except (NotFound, NotAllowed):
        return deployment
    return replace(
        deployment,
        read_only=access.read_only,
        role=access.role or "",
        user_name=access.person or "",
        holder_id=access.holder_id or "",
    )


def is_live(deployment: Deployment) -> bool:
    """Whether the service goes on with the session. While it gives no answer, nobody is signed out."""
    if time.monotonic() < _checks.get(deployment.api_key, float("-inf")):
        return True
    lasts = LIVE_SECONDS
    try:
        _act_for(deployment, seconds=CHECK_SECONDS).access.read()
    except Unauthorized:
        _checks.pop(deployment.api_key, None)
        return False
    except ApiError:
        lasts = UNANSWERED_SECONDS
    if len(_checks) >= MAX_CHECKS:
        _checks.clear()
    _checks[deployment.api_key] = time.monotonic() + lasts
    return True


def end_session(deployment: Deployment) -> str | None:
    """End the session; return where the browser signs out of the identity provider too. A service that cannot
    be reached ends it when it has been idle for long."""
    _checks.pop(deployment.api_key, None)
    try:
        return _act_for(deployment).sign_in.end_session().sign_out_url
    except ApiError:
        return None


def use_ticket(deployment: Deployment, ticket: str) -> bool:
    """Whether the ticket is used for the first time, at whichever dashboard. Raises ApiError where the
    service gives no answer."""
    try:
        _act_for(deployment).sign_in.use_ticket(ticket)
    except (Conflict, Unauthorized):
        return False
    return True


def find_options(base_url: str) -> SignInOptions:
    """Return how people sign in at a service: with keys alone where it gives no answer."""
    try:
        return _act_for(Deployment(base_url, ""), seconds=CALL_SECONDS / 3).sign_in.options()
    except ApiError:
        return SignInOptions()


def start_sign_in(base_url: str, return_to: str, browser: str) -> StartedSignIn:
    """Return where the browser, by its sealed address, goes to sign in with the identity provider. Raises
    ApiError."""
    return _act_for(Deployment(base_url, "")).sign_in.start(return_to, browser)


def finish_sign_in(base_url: str, answer: SignInAnswer, browser: str) -> tuple[Deployment, str]:
    """Return the deployment of the person who came back from the identity provider, and the page that they
    want. Raises ApiError."""
    session = _act_for(Deployment(base_url, "")).sign_in.finish(answer, browser)
    return _add_rights(Deployment(base_url, session.token)), session.return_to or ""


def close_clients() -> None:
    """Close the connections to all services; the next call opens new ones."""
    while _clients:
        _clients.popitem()[1].close()


def _client(base_url: str) -> ApiClient:
    with _lock:
        if base_url not in _clients:
            _clients[base_url] = ApiClient(base_url, timeouts=Timeouts(connect=3, read=CALL_SECONDS))
        return _clients[base_url]


def _act_for(deployment: Deployment, seconds: float = CALL_SECONDS) -> ScopedClient:
    credentials = Credentials(deployment.api_key or None)
    return _client(deployment.base_url).acting_for(credentials, seconds=seconds)
