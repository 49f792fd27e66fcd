"""Sessions that survive a page reload: the session cookie, and the tickets that are exchanged for it.

A Streamlit script cannot set a cookie. It gives the browser a ticket (random, valid once, for a minute). A
route of the server exchanges it for an `HttpOnly` cookie that holds the deployment encrypted. The cookie
therefore outlives a restart of this process, and every replica with the same key can read it.
"""

import base64
import json
import os
import secrets
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from threading import Lock

from cryptography.fernet import Fernet, InvalidToken

from app.dashboard.deployment import Deployment
from app.dashboard.server import configuration
from app.settings import Settings

COOKIE = "parley_session"
TICKET_SECONDS = 60
IDLE_SECONDS = 12 * 3600
ABSOLUTE_SECONDS = 7 * 24 * 3600
RENEW_AFTER_SECONDS = 15 * 60

Clock = Callable[[], float]


@dataclass(frozen=True)
class Session:
    """A deployment read from a cookie, and the times of the sign-in and of the last renewal (Unix
    seconds)."""

    deployment: Deployment
    signed_in_at: float
    seen_at: float


class SessionSealer:
    """Encrypts deployments into cookie values and decrypts them."""

    def __init__(self, key: bytes, clock: Clock = time.time) -> None:
        self._fernet = Fernet(base64.urlsafe_b64encode(sha256(b"dashboard session" + key).digest()))
        self._clock = clock

    def seal(self, deployment: Deployment, signed_in_at: float | None = None) -> str:
        """Return the cookie value. A renewed session passes its `signed_in_at`, otherwise it is now."""
        now = self._clock()
        record = {"d": asdict(deployment), "a": now if signed_in_at is None else signed_in_at, "s": now}
        sealed = self._fernet.encrypt(json.dumps(record, separators=(",", ":")).encode()).decode()
        # Without its padding a value needs no quotes in a header.
        return sealed.rstrip("=")

    def open(self, value: str | None) -> Session | None:
        """Return the session; None when the value is absent, forged, encrypted with another key or
        expired."""
        if not value:
            return None
        try:
            record = json.loads(self._fernet.decrypt(value.encode() + b"=" * (-len(value) % 4)))
            session = Session(Deployment(**record["d"]), float(record["a"]), float(record["s"]))
        except (InvalidToken, ValueError, KeyError, TypeError):
            return None
        now = self._clock()
        if now - session.signed_in_at > ABSOLUTE_SECONDS or now - session.seen_at > IDLE_SECONDS:
            return None
        return session

    def renew(self, session: Session) -> str | None:
        """Return a new cookie value when the last renewal is `RENEW_AFTER_SECONDS` ago, else None."""
        if self._clock() - session.seen_at < RENEW_AFTER_SECONDS:
            return None
        return self.seal(session.deployment, session.signed_in_at)


class TicketStore:
    """Deployments whose browser has still to fetch its cookie. Each ticket is valid once."""

    def __init__(self, clock: Clock = time.time) -> None:
        self._clock = clock
        self._waiting: dict[str, tuple[float, Deployment]] = {}
        self._lock = Lock()

    def issue(self, deployment: Deployment) -> str:
        """Return a new ticket, valid for `TICKET_SECONDS`."""
        ticket = secrets.token_urlsafe(24)
        now = self._clock()
        with self._lock:
            self._waiting = {old: entry for old, entry in self._waiting.items() if entry[0] > now}
            self._waiting[ticket] = (now + TICKET_SECONDS, deployment)
        return ticket

    def redeem(self, ticket: str) -> Deployment | None:
        """Return the deployment the first time, while the ticket is valid; else None."""
        with self._lock:
            entry = self._waiting.pop(ticket, None)
        return entry[1] if entry and entry[0] > self._clock() else None


class OneTimeLink:
    """The one-time link that `parley up` prints: its token signs in once, to `deployment`. The file `used`
    holds the hash of the last used token, so that a restarted dashboard accepts no token twice."""

    def __init__(self, token: str, deployment: Deployment, used: Path) -> None:
        self._token = token.encode()
        self._deployment = deployment
        self._used = used
        self._lock = Lock()

    def redeem(self, token: str) -> Deployment | None:
        """Return the deployment the first time that the right token is given; else None."""
        if not secrets.compare_digest(self._token, token.encode()):
            return None
        digest = sha256(self._token).hexdigest()
        with self._lock:
            if self._used.exists() and self._used.read_text() == digest:
                return None
            self._used.parent.mkdir(parents=True, exist_ok=True)
            self._used.write_text(digest)
        return self._deployment


def session_key(settings: Settings) -> bytes:
    """Return `PARLEY_SECRET_KEY`, else a key that is made once in the data folder, readable by its owner
    only."""
    if settings.secret_key is not None:
        return settings.secret_key.get_secret_value().encode()
    file = Path(settings.data_dir) / "dashboard.key"
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        # Linked into place from a temporary file: two dashboards that start at once read the same key.
        with tempfile.NamedTemporaryFile(dir=file.parent, prefix=".dashboard-key-") as temporary:
            temporary.write(Fernet.generate_key())
            temporary.flush()
            with suppress(FileExistsError):
                os.link(temporary.name, file)
    return file.read_bytes()


@cache
def session_sealer() -> SessionSealer:
    """Those of this process."""
    return SessionSealer(session_key(configuration.get_settings()))


@cache
def ticket_store() -> TicketStore:
    """Return the tickets of this process, which runs both the page that issues one and the route that takes
    it."""
    return TicketStore()
