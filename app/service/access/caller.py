"""Who calls: the key's organisation and the end user on whose behalf."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from ipaddress import IPv4Address, IPv6Address, ip_address

from app.contract.access import (
    END_USER_EMAIL,
    END_USER_IDENTIFIER,
    END_USER_IP,
    END_USER_ORGANISATION,
    Role,
)
from app.contract.values import is_email_address
from app.outgoing.addresses import Network
from app.service.http.problems import ApiProblem, InvalidField
from app.service.http.request_headers import MAX_END_USER_LENGTH


@dataclass(frozen=True)
class EndUser:
    """The four end-user headers; an empty one means absent."""

    identifier: str | None = None
    ip: str | None = None
    email: str | None = None
    organisation: str | None = None

    @property
    def named(self) -> str | None:
        """What the person is called, as the call claims."""
        return self.email or self.identifier

    def record(self) -> dict[str, str] | None:
        """As kept with what was made on their behalf; None when no header came."""
        return {name: value for name, value in vars(self).items() if value is not None} or None


@dataclass(frozen=True, slots=True)
class RecordOrigin:
    """What is kept with each new record of where it comes from."""

    organisation_id: str
    now: datetime
    sample: bool = False
    end_user: dict[str, str] | None = None


@dataclass(frozen=True)
class Caller:
    """The holder of a valid key, or a person in the organisation that they work in. Everything they may see
    hangs on `organisation_id`; what they make is marked as sample data where the key is for that."""

    key_id: str
    """The id of the key, or of the person."""
    organisation_id: str
    role: Role
    end_user: EndUser = EndUser()
    sample: bool = False
    user_id: str | None = None
    """The person, where it is one who calls."""
    session_id: str | None = None
    """The session, where somebody signed in."""
    networks: tuple[Network, ...] = ()
    """Those that the key, or that of the session, works from; none: from any."""

    def works_from(self, address: IPv4Address | IPv6Address | None) -> bool:
        """Whether a call may come from the address."""
        return not self.networks or (
            address is not None and any(address in network for network in self.networks)
        )

    def make_origin(self, now: datetime) -> RecordOrigin:
        return RecordOrigin(self.organisation_id, now, self.sample, self.end_user.record())


def read_api_key(headers: Mapping[str, str]) -> str | None:
    """The key of `Authorization: Bearer` or `X-API-Key`."""
    scheme, _, key = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and key.strip():
        return key.strip()
    return headers.get("x-api-key", "").strip() or None


def read_end_user(headers: Mapping[str, str]) -> EndUser:
    """Raises ApiProblem 400 naming each malformed header."""
    ip = headers.get(END_USER_IP) or None
    email = _read_text(headers, END_USER_EMAIL)
    identifier = _read_text(headers, END_USER_IDENTIFIER)
    organisation = _read_text(headers, END_USER_ORGANISATION)
    wrong = [
        InvalidField(name, f"must not be longer than {MAX_END_USER_LENGTH} characters")
        for name, value in ((END_USER_IDENTIFIER, identifier), (END_USER_ORGANISATION, organisation))
        if value is not None and len(value) > MAX_END_USER_LENGTH
    ]
    if ip is not None:
        try:
            ip_address(ip)
        except ValueError:
            wrong.append(InvalidField(END_USER_IP, "must be an IPv4 or IPv6 address"))
    if email is not None and not is_email_address(email):
        wrong.append(InvalidField(END_USER_EMAIL, "must be an e-mail address"))
    if wrong:
        raise ApiProblem(400, "A header is not valid.", errors=wrong)
    return EndUser(identifier, ip, email, organisation)


def _read_text(headers: Mapping[str, str], name: str) -> str | None:
    """A header's value; clients send UTF-8, which the server hands over as Latin-1 (RFC 9110, 5.5)."""
    value = headers.get(name) or None
    if value is None:
        return None
    try:
        return value.encode("latin-1").decode()
    except UnicodeDecodeError:
        return value
