"""How a sign-in survives a refresh: what the session cookie holds, and the tickets traded for one.

A script cannot set a cookie. It hands the browser a ticket (random, good once, for a minute); a route of the
server trades it for an `HttpOnly` cookie that holds the deployment encrypted, so that the cookie outlives a
restart of this process and is understood by every replica that shares the key.
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
    """A deployment as read from a cookie, and when it was signed in to and last seen (Unix seconds)."""

    deployment: Deployment
    signed_in_at: float
    seen_at: float


class SessionSealer:
    """Seals deployments into cookie values and opens them again."""

    def __init__(self, key: bytes, clock: Clock = time.time) -> None:
        self._fernet = Fernet(base64.urlsafe_b64encode(sha256(b"dashboard session" + key).digest()))
        self._clock = clock

    def seal(self, deployment: Deployment, signed_in_at: float | None = None) -> str:
        """The cookie value. `signed_in_at` is kept when a session is renewed."""
        now = self._clock()
        record = {"d": asdict(deployment), "a": now if signed_in_at is None else signed_in_at, "s": now}
        sealed = self._fernet.encrypt(json.dumps(record, separators=(",", ":")).encode()).decode()
        # Without its padding a value needs no quotes in a header.
        return sealed.rstrip("=")

    def open(self, value: str | None) -> Session | None:
        """The session, or None when the value is absent, forged, sealed with another key or expired."""
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

    def renewed(self, session: Session) -> str | None:
        """A fresh cookie value for a session that was not seen for a while, else None."""
        if self._clock() - session.seen_at < RENEW_AFTER_SECONDS:
            return None
        return self.seal(session.deployment, session.signed_in_at)


class TicketStore:
    """Deployments that wait for the browser to fetch its cookie; each ticket is good once."""

    def __init__(self, clock: Clock = time.time) -> None:
        self._clock = clock
        self._waiting: dict[str, tuple[float, Deployment]] = {}
        self._lock = Lock()

    def issue(self, deployment: Deployment) -> str:
        """A new ticket, good for `TICKET_SECONDS`."""
        ticket = secrets.token_urlsafe(24)
        now = self._clock()
        with self._lock:
            self._waiting = {t: held for t, held in self._waiting.items() if held[0] > now}
            self._waiting[ticket] = (now + TICKET_SECONDS, deployment)
        return ticket

    def redeem(self, ticket: str) -> Deployment | None:
        """The deployment, the first time and in time; else None."""
        with self._lock:
            held = self._waiting.pop(ticket, None)
        return held[1] if held and held[0] > self._clock() else None


class OneTimeLink:
    """The one-time link that `parley up` prints: its token signs in once, as `deployment`. The file `used`
    says which token was shown last, so that a dashboard that is started again takes none twice."""

    def __init__(self, token: str, deployment: Deployment, used: Path) -> None:
        self._token = token.encode()
        self._deployment = deployment
        self._used = used
        self._lock = Lock()

    def redeem(self, token: str) -> Deployment | None:
        """The deployment, the first time that the right token is shown; else None."""
        if not secrets.compare_digest(self._token, token.encode()):
            return None
        trace = sha256(self._token).hexdigest()
        with self._lock:
            if self._used.exists() and self._used.read_text() == trace:
                return None
            self._used.parent.mkdir(parents=True, exist_ok=True)
            self._used.write_text(trace)
        return self._deployment


def session_key(settings: Settings) -> bytes:
    """`PARLEY_SECRET_KEY`, else a key that is made once in the data folder, readable by its owner only."""
    if settings.secret_key is not None:
        return settings.secret_key.get_secret_value().encode()
    file = Path(settings.data_dir) / "dashboard.key"
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        # Written aside and linked into place: of two dashboards that start at once, both read one key.
        with tempfile.NamedTemporaryFile(dir=file.parent, prefix=".dashboard-key-") as aside:
            aside.write(Fernet.generate_key())
            aside.flush()
            with suppress(FileExistsError):
                os.link(aside.name, file)
    return file.read_bytes()


@cache
def session_sealer() -> SessionSealer:
    """Those of this process."""
    return SessionSealer(session_key(configuration.get_settings()))


@cache
def ticket_store() -> TicketStore:
    """Those of this process: the page that issues one and the route that trades it run in it."""
    return TicketStore()
