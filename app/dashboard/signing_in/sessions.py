"""The sessions of the dashboard: who is signed in, until they sign out.

The browser has them, in an `HttpOnly` cookie that is sealed with the key of the dashboards: any dashboard
with that key reads it, whichever host it runs on, and nothing is lost with a process. What is sealed is the
deployment with the token of a session that the service keeps (`service_sessions`) and can end; only on a
deployment that knows no sessions it is the API key.

A Streamlit script cannot set a cookie. It gives the browser a ticket (sealed, valid once, for a minute),
which a route of any dashboard exchanges for the cookie.
"""

import json
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import asdict, replace
from functools import cache
from hashlib import sha256
from threading import Lock
from typing import Literal

from cryptography.fernet import InvalidToken

from app.client import ApiError
from app.dashboard.deployment import Deployment
from app.dashboard.server import configuration
from app.dashboard.signing_in import service_sessions
from app.dashboard_keys import derive_fernet, read_dashboard_keys

COOKIE = "parley_session"
TICKET_SECONDS = 60
ABSOLUTE_SECONDS = 7 * 24 * 3600
"""How long a cookie is good; the service ends a session that nobody uses earlier."""
KEY_SECONDS = 12 * 3600
"""How long one with an API key in it is good, on a deployment that knows no sessions."""
MAX_ENDED = 100_000

Clock = Callable[[], float]
Kind = Literal["ticket", "cookie"]


class SessionEnded(Exception):
    """A call was about to be made for somebody who signed out, perhaps in another tab."""


class SessionStore:
    """Seals and opens tickets and cookies, and knows which sessions ended. Safe between threads."""

    def __init__(self, *keys: bytes, clock: Clock = time.time) -> None:
        self._fernet = derive_fernet(keys, b"dashboard cookies")
        self._clock = clock
        self._lock = Lock()
        self._ended: OrderedDict[str, None] = OrderedDict()
        self._used: OrderedDict[str, None] = OrderedDict()

    def start(self, deployment: Deployment) -> tuple[Deployment, str]:
        """Start a session. Returns its deployment and the ticket for its cookie."""
        started = replace(deployment, session=secrets.token_hex(16))
        return started, self._seal("ticket", started)

    def exchange_ticket(self, ticket: str) -> str | None:
        """Return the cookie, the first time that a valid ticket is given; else None."""
        opened = self._open("ticket", ticket)
        if opened is None or self._clock() - opened[1] >= TICKET_SECONDS:
            return None
        deployment, _ = opened
        is_first = self._remember(self._used, _hash(ticket))
        if is_first and service_sessions.is_kept_by_service(deployment):
            try:
                is_first = service_sessions.use_ticket(deployment, _hash(ticket))
            except ApiError:
                return None
        return self.make_cookie(deployment) if is_first else None

    def make_cookie(self, deployment: Deployment) -> str:
        """Return the value of the cookie of a session that has started."""
        return self._seal("cookie", deployment)

    def find(self, cookie: str | None) -> Deployment | None:
        """Return the deployment of a cookie; None when its session ended or it is no cookie of ours."""
        opened = self._open("cookie", cookie or "")
        if opened is None:
            return None
        deployment, sealed_at = opened
        seconds = ABSOLUTE_SECONDS if service_sessions.is_kept_by_service(deployment) else KEY_SECONDS
        is_over = self._clock() - sealed_at > seconds
        return None if is_over or not self.is_live(deployment) else deployment

    def is_live(self, deployment: Deployment) -> bool:
        """Whether the session goes on: nobody ended it, and it did not expire. The asking keeps it alive."""
        with self._lock:
            if deployment.session in self._ended:
                return False
        return not service_sessions.is_kept_by_service(deployment) or service_sessions.is_live(deployment)

    def end(self, deployment: Deployment) -> str | None:
        """End the session, for every tab and dashboard; return where the browser signs out of the identity
        provider too."""
        if not self._remember(self._ended, deployment.session):
            return None
        is_kept = service_sessions.is_kept_by_service(deployment)
        return service_sessions.end_session(deployment) if is_kept else None

    def _remember(self, things: OrderedDict[str, None], name: str) -> bool:
        """Whether the name is new among the things that this process remembers."""
        with self._lock:
            is_new = name not in things
            things[name] = None
            while len(things) > MAX_ENDED:
                things.popitem(last=False)
            return is_new

    def _seal(self, kind: Kind, deployment: Deployment) -> str:
        content = {"kind": kind, "at": self._clock(), "deployment": asdict(deployment)}
        return self._fernet.encrypt(json.dumps(content).encode()).decode()

    def _open(self, kind: Kind, sealed: str) -> tuple[Deployment, float] | None:
        """The deployment and when it was sealed; None for what is of another kind, key or version."""
        try:
            content = json.loads(self._fernet.decrypt(sealed.encode()))
            return (Deployment(**content["deployment"]), content["at"]) if content["kind"] == kind else None
        except (InvalidToken, ValueError, TypeError, KeyError):
            return None


def _hash(ticket: str) -> str:
    return sha256(ticket.encode()).hexdigest()


@cache
def session_store() -> SessionStore:
    """The sessions that this process can read."""
    settings = configuration.get_settings()
    return SessionStore(*read_dashboard_keys(settings))
