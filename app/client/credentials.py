"""The identity of a caller: an API key and the end user on whose behalf it calls."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

from ..contract.access import END_USER_EMAIL, END_USER_IDENTIFIER, END_USER_IP, END_USER_ORGANISATION
from .redaction import Secrets


@dataclass(frozen=True, slots=True, repr=False)
class EndUser:
    """The person on whose behalf calls are made. Each part is optional; an empty one counts as absent.

    `ip` is an IPv4 or IPv6 address. ValueError when a part cannot stand in a header.
    """

    identifier: str | None = None
    ip: str | None = None
    email: str | None = None
    organization_name: str | None = None

    def __post_init__(self) -> None:
        for part in (self.identifier, self.ip, self.email, self.organization_name):
            _refuse_control_characters("an end user's detail", part)

    def headers(self) -> Iterator[tuple[str, str]]:
        """The `x-svc-end-user-*` headers of the parts that are there."""
        parts = {
            END_USER_IDENTIFIER: self.identifier,
            END_USER_IP: self.ip,
            END_USER_EMAIL: self.email,
            END_USER_ORGANISATION: self.organization_name,
        }
        return ((name, part) for name, part in parts.items() if part)

    def __repr__(self) -> str:
        return f"EndUser({', '.join(name.removeprefix('x-svc-end-user-') for name, _ in self.headers())})"


@dataclass(frozen=True, slots=True, repr=False)
class Credentials:
    """An identity: an API key, an end user, both or neither (health and the description need none).

    ValueError when the key cannot stand in a header.
    """

    api_key: str | None = None
    end_user: EndUser | None = None

    def __post_init__(self) -> None:
        _refuse_control_characters("the API key", self.api_key)
        if self.api_key and not self.api_key.isascii():
            raise ValueError("the API key holds a character that no header can carry")

    @property
    def fingerprint(self) -> str:
        """A hash that is different for different identities and reveals no secret."""
        user = self.end_user or EndUser()
        parts = (self.api_key, user.identifier, user.ip, user.email, user.organization_name)
        return hashlib.sha256(repr(parts).encode()).hexdigest()

    @property
    def secrets(self) -> Secrets:
        """What no log, `repr` or error may show."""
        return Secrets(self.api_key, self.end_user.email if self.end_user else None)

    def __repr__(self) -> str:
        key = "with a key" if self.api_key else "without a key"
        return f"Credentials({key}{', for ' + repr(self.end_user) if self.end_user else ''})"


def _refuse_control_characters(what: str, text: str | None) -> None:
    # The message must not repeat the text: it may be a secret.
    if text and (not text.isprintable() or text != text.strip()):
        raise ValueError(f"{what} holds a character that no header can carry, or blanks at an end")
