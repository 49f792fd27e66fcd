"""The sessions of the dashboard: who is signed in, on record until they sign out.

A session is a row of a small SQLite file in the data folder, which all dashboard processes share. The browser
holds a random token in an `HttpOnly` cookie. The row has the hash of the token, and the deployment sealed
with the token and the key of the dashboard together: neither the cookie nor the data folder tells the API
key by itself.

A Streamlit script cannot set a cookie. It gives the browser a ticket (random, valid once, for a minute),
which a route of the server exchanges for the cookie.
"""

import base64
import errno
import hmac
import json
import os
import secrets
import sqlite3
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, replace
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
TOUCH_AFTER_SECONDS = 15 * 60
LOCK_SECONDS = 5.0

Clock = Callable[[], float]

_TABLES = """
CREATE TABLE IF NOT EXISTS session (
    id TEXT PRIMARY KEY,
    token_hash TEXT NOT NULL UNIQUE,
    ticket_until REAL,
    deployment BLOB NOT NULL,
    started_at REAL NOT NULL,
    seen_at REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS used_link (token_hash TEXT PRIMARY KEY);
"""
"""`ticket_until` is set while the token is a ticket that the browser has still to exchange."""


class SessionEnded(Exception):
    """A call was about to be made for somebody who signed out, perhaps in another tab."""


class SessionStore:
    """The sessions in one file. Each method is a transaction of its own, safe between threads and
    processes."""

    def __init__(self, file: Path, key: bytes, clock: Clock = time.time) -> None:
        self._key = key
        self._clock = clock
        self._lock = Lock()
        file.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))
        self._connection = sqlite3.connect(
            file, timeout=LOCK_SECONDS, isolation_level=None, check_same_thread=False
        )
        try:
            self._connection.executescript(_TABLES)
        except sqlite3.Error as error:
            raise OSError(errno.EIO, f"the sessions cannot be read ({error})", str(file)) from None

    def start(self, deployment: Deployment) -> tuple[Deployment, str]:
        """Start a session. Returns its deployment and the ticket for its cookie. Forgets expired sessions."""
        now = self._clock()
        started = replace(deployment, session=secrets.token_hex(16))
        ticket = secrets.token_urlsafe(32)
        self._execute(
            "DELETE FROM session WHERE started_at < ? OR seen_at < ?",
            now - ABSOLUTE_SECONDS,
            now - IDLE_SECONDS,
        )
        self._execute(
            "INSERT INTO session VALUES (?, ?, ?, ?, ?, ?)",
            started.session,
            _hash(ticket),
            now + TICKET_SECONDS,
            self._seal(started, ticket),
            now,
            now,
        )
        return started, ticket

    def exchange_ticket(self, ticket: str) -> str | None:
        """Return the token for the cookie, the first time that a valid ticket is given; else None."""
        row = self._execute(
            "SELECT deployment FROM session WHERE token_hash = ? AND ticket_until > ?",
            _hash(ticket),
            self._clock(),
        ).fetchone()
        deployment = self._unseal(row[0], ticket) if row else None
        if deployment is None:
            return None
        token = secrets.token_urlsafe(32)
        exchanged = self._execute(
            "UPDATE session SET token_hash = ?, deployment = ?, ticket_until = NULL WHERE token_hash = ?",
            _hash(token),
            self._seal(deployment, token),
            _hash(ticket),
        )
        return token if exchanged.rowcount == 1 else None

    def find(self, token: str | None) -> Deployment | None:
        """Return the deployment of a cookie; None when its session ended or it is no cookie of ours."""
        if not token:
            return None
        row = self._execute(
            "SELECT id, deployment FROM session WHERE token_hash = ? AND ticket_until IS NULL", _hash(token)
        ).fetchone()
        if row is None or not self.is_live(row[0]):
            return None
        return self._unseal(row[1], token)

    def is_live(self, session: str) -> bool:
        """Whether the session goes on: nobody ended it, and it did not expire. The asking keeps it alive."""
        now = self._clock()
        row = self._execute("SELECT started_at, seen_at FROM session WHERE id = ?", session).fetchone()
        if row is None or now - row[0] > ABSOLUTE_SECONDS or now - row[1] > IDLE_SECONDS:
            return False
        if now - row[1] > TOUCH_AFTER_SECONDS:
            # A full disk or a locked file must not keep anybody from working.
            with suppress(sqlite3.Error):
                self._execute("UPDATE session SET seen_at = ? WHERE id = ?", now, session)
        return True

    def end(self, session: str) -> None:
        """End the session, for every tab and process."""
        self._execute("DELETE FROM session WHERE id = ?", session)

    def use_link(self, token: str) -> bool:
        """Whether the token of a one-time link is used for the first time."""
        return self._execute("INSERT OR IGNORE INTO used_link VALUES (?)", _hash(token)).rowcount == 1

    def _execute(self, statement: str, *values: object) -> sqlite3.Cursor:
        with self._lock:
            return self._connection.execute(statement, values)

    def _fernet(self, token: str) -> Fernet:
        return Fernet(base64.urlsafe_b64encode(hmac.digest(self._key, token.encode(), "sha256")))

    def _seal(self, deployment: Deployment, token: str) -> bytes:
        return self._fernet(token).encrypt(json.dumps(asdict(deployment)).encode())

    def _unseal(self, sealed: bytes, token: str) -> Deployment | None:
        try:
            return Deployment(**json.loads(self._fernet(token).decrypt(sealed)))
        except (InvalidToken, ValueError, TypeError):  # sealed with another key, or by another version
            return None


def _hash(token: str) -> str:
    return sha256(token.encode()).hexdigest()


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
def session_store() -> SessionStore:
    """The sessions of this process's data folder."""
    settings = configuration.get_settings()
    return SessionStore(Path(settings.data_dir) / "dashboard.sqlite3", session_key(settings))
