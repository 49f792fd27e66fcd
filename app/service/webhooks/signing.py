"""Signatures of Standard Webhooks 1.0 (https://github.com/standard-webhooks/standard-webhooks): HMAC-SHA256
over `id.timestamp.body`, in base64, behind the version `v1,`. An earlier secret of a webhook stays valid for
its own 24 hours after the rotation that replaced it. Pure."""

import base64
import binascii
import hashlib
import hmac
import secrets
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from typing import NamedTuple

SECRET_PREFIX = "whsec_"  # noqa: S105 (what every secret begins with)
SECRET_BYTES = 32
"""The specification asks for 24 to 64."""

BLOCK_BYTES = 64

OVERLAP = timedelta(hours=24)
MAX_SECRETS = 3
"""How many secrets may be valid at a time, with the current one."""

TOLERANCE_SECONDS = 300
"""How far a delivery's timestamp may be from the receiver's clock."""


class InvalidSecret(ValueError):
    """The secret is not `whsec_` followed by base64."""


def encode_secret(key: bytes) -> str:
    """Return the secret that the receiver is shown, once."""
    return SECRET_PREFIX + base64.b64encode(key).decode()


def new_secret() -> str:
    return encode_secret(secrets.token_bytes(SECRET_BYTES))


def decode_secret(secret: str) -> bytes:
    """Return the key of a secret with or without its prefix. Raises InvalidSecret."""
    try:
        return base64.b64decode(secret.removeprefix(SECRET_PREFIX), validate=True)
    except (binascii.Error, ValueError):
        raise InvalidSecret("a webhook secret is whsec_ followed by base64") from None


class Signer:
    """Signs with one key, or with several after a rotation: the receiver may know only one of them."""

    def __init__(self, keys: Iterable[bytes]) -> None:
        self._macs = [_make_mac(key) for key in keys]

    def __bool__(self) -> bool:
        return bool(self._macs)

    def sign(self, *, message_id: str, timestamp: int, body: bytes) -> str:
        """Return the value of the header `webhook-signature`."""
        content = b"%s.%d.%s" % (message_id.encode(), timestamp, body)
        return " ".join("v1," + base64.b64encode(mac(content)).decode() for mac in self._macs)


def _make_mac(key: bytes) -> Callable[[bytes], bytes]:
    """Return a function that computes HMAC-SHA256 with one key (RFC 2104); the two hashes of the key are
    computed once. `hmac.digest` releases the interpreter's lock for every message and then waits for it:
    2 microseconds became 200 beside a busy thread."""
    if len(key) > BLOCK_BYTES:
        key = hashlib.sha256(key).digest()
    key = key.ljust(BLOCK_BYTES, b"\0")
    inner_begun = hashlib.sha256(bytes(byte ^ 0x36 for byte in key))
    outer_begun = hashlib.sha256(bytes(byte ^ 0x5C for byte in key))

    def mac(content: bytes) -> bytes:
        inner, outer = inner_begun.copy(), outer_begun.copy()
        inner.update(content)
        outer.update(inner.digest())
        return outer.digest()

    return mac


def find_signature_fault(
    key: bytes,
    *,
    message_id: str | None,
    timestamp: str | None,
    signature: str | None,
    body: bytes,
    now: float,
) -> str | None:
    """Return what is wrong with a delivery that came with these headers at `now` (seconds since 1970); None
    where its signature is valid."""
    if not message_id or not timestamp or not signature:
        return "webhook-id, webhook-timestamp or webhook-signature is missing"
    if not timestamp.isdecimal():
        return "webhook-timestamp is no whole number of seconds"
    expected = Signer([key]).sign(message_id=message_id, timestamp=int(timestamp), body=body)
    if not any(hmac.compare_digest(expected.encode(), given.encode()) for given in signature.split(" ")):
        return "no signature matches the secret"
    if abs(now - int(timestamp)) > TOLERANCE_SECONDS:
        return f"webhook-timestamp is more than {TOLERANCE_SECONDS // 60} minutes off"
    return None


class RetiredSecret(NamedTuple):
    """An earlier secret, encrypted; deliveries are signed with it as well until then."""

    sealed: bytes
    until: datetime


def read_retired(stored: Iterable[Mapping[str, str]] | None, now: datetime) -> list[RetiredSecret]:
    """Those of a row that are still valid, the oldest first."""
    every = [
        RetiredSecret(base64.b64decode(one["secret"]), datetime.fromisoformat(one["until"]))
        for one in stored or ()
    ]
    return [one for one in every if one.until > now]


def write_retired(secrets: Iterable[RetiredSecret]) -> list[dict[str, str]]:
    """The same in the form of a row."""
    return [
        {"secret": base64.b64encode(one.sealed).decode(), "until": one.until.isoformat()} for one in secrets
    ]
