"""Who may use an organisation's data, people and API keys: an extension, see `/v1/openapi`."""

from ipaddress import ip_network
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from .access import Role
from .model import Reply, Request
from .values import Id, Instant, Name, ReplyInstant, Text

MAX_NETWORKS = 20


def _network(value: str) -> str:
    try:
        return str(ip_network(value.strip(), strict=False))
    except ValueError:
        raise ValueError("must be an address or network such as 192.0.2.7 or 192.0.2.0/24") from None


Network = Annotated[Text, Field(max_length=64), AfterValidator(_network)]
"""An IPv4 or IPv6 network, or a single address."""


class NewKey(Request):
    """The body of `POST /v1/keys`. Nobody gives a key a higher role than their own. With `expires_at` it
    works until then, and with `networks` from these alone."""

    name: Annotated[Name, Field(max_length=200)]
    role: Role
    expires_at: Instant | None = None
    networks: Annotated[tuple[Network, ...] | None, Field(min_length=1, max_length=MAX_NETWORKS)] = None


class ApiKey(Reply):
    """An API key of the organisation; one that was revoked has `revoked_at`. It works until `expires_at` and
    from `networks`, where these are stated. `used_at` and `used_address` say when and from where it was used
    last, by the quarter of an hour. Only the answer that makes a key has the `key` itself. `own` marks the
    one that the caller uses or signed in with."""

    id: Id
    name: str
    hint: str
    role: Role
    created_at: ReplyInstant
    revoked_at: ReplyInstant = None
    expires_at: ReplyInstant = None
    networks: list[str] | None = None
    used_at: ReplyInstant = None
    used_address: str | None = None
    own: bool = False
    key: Annotated[str | None, Field(repr=False)] = None


class RevokedKey(Reply):
    """A key that works no more."""

    id: Id
    name: str


class Member(Reply):
    """A person who signs in with the identity provider. Their role is that of their groups there at the last
    sign-in, so it is changed there and not here."""

    id: Id
    name: str
    email: str | None = None
    role: Role
    signed_in_at: ReplyInstant = None
    sessions: int


MAX_PERSONAL_RECORDS = 10_000


class PersonalRecord(Reply):
    """A row that names a person: the table that it is in, and its content as it is stored."""

    place: str
    content: dict[str, Any]


class PersonalData(Reply):
    """All that is on record of a person in the organisation, but for what documents and imported files say:
    at most 10,000 rows, and how many more there are (`left_out`), which the operator exports."""

    id: Id
    name: str
    email: str | None = None
    records: list[PersonalRecord]
    left_out: int


class ErasedPerson(Reply):
    """A person whose name and address are not on record any more; `name` is what stands in their place."""

    id: Id
    name: str


class EndedSessions(Reply):
    """The person was signed out everywhere."""

    id: Id
    name: str
    ended: int
