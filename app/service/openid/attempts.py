"""An attempt to sign in: what the browser keeps, sealed, while the person is at the identity provider."""

import base64
import hashlib
import json
import secrets
from dataclasses import asdict, dataclass
from datetime import datetime

from app.service.vault import InvalidToken, Vault

MAX_SECONDS = 600
_PURPOSE = "sign-in attempt"


class RefusedAttempt(Exception):
    """An attempt does not hold; the text says why, in a sentence for the person who signs in."""


@dataclass(frozen=True)
class Attempt:
    """One attempt: `state` ties the answer to the browser, `nonce` the ID token to the attempt, and
    `verifier` the code to whoever asked for it (PKCE)."""

    state: str
    nonce: str
    verifier: str
    return_to: str
    started_at: float

    @property
    def challenge(self) -> str:
        """SHA-256 of the verifier (`S256`)."""
        digest = hashlib.sha256(self.verifier.encode()).digest()
        return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()

    def seal(self, vault: Vault) -> str:
        return vault.seal(json.dumps({"purpose": _PURPOSE, **asdict(self)}).encode()).decode()


def start_attempt(return_to: str, now: datetime) -> Attempt:
    """An attempt that nobody can guess; the person comes back to the page `return_to`."""
    return Attempt(
        state=secrets.token_urlsafe(24),
        nonce=secrets.token_urlsafe(24),
        verifier=secrets.token_urlsafe(48),
        return_to=return_to,
        started_at=now.timestamp(),
    )


def open_attempt(vault: Vault, sealed: str, state: str, now: datetime) -> Attempt:
    """The attempt of a browser that comes back with `state`. Raises RefusedAttempt."""
    try:
        content = json.loads(vault.open(sealed.encode()))
        if content.pop("purpose") != _PURPOSE:
            raise ValueError
        attempt = Attempt(**content)
    except (InvalidToken, ValueError, TypeError, KeyError, AttributeError):
        raise RefusedAttempt("This sign-in was not started in this browser. Sign in again.") from None
    if not secrets.compare_digest(attempt.state.encode(), state.encode()):
        raise RefusedAttempt("The answer is not to the sign-in of this browser. Sign in again.")
    if not 0 <= now.timestamp() - attempt.started_at + 60 <= MAX_SECONDS + 60:
        raise RefusedAttempt("This sign-in took longer than ten minutes. Sign in again.")
    return attempt
