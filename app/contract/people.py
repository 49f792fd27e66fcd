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
    role: Role = Field(description="What it may do, at most as much as who makes it.")
    expires_at: Instant | None = Field(default=None, description="Until when it works; for ever without it.")
    networks: Annotated[tuple[Network, ...] | None, Field(min_length=1, max_length=MAX_NETWORKS)] = Field(
        default=None, description="The addresses or networks it works from; from all without them."
    )


class ApiKey(Reply):
    """An API key of the organisation; one that was revoked has `revoked_at`. It works until `expires_at` and
    from `networks`, where these are stated. `used_at` and `used_address` say when and from where it was used
    last, by the quarter of an hour. Only the answer that makes a key has the `key` itself. `own` marks the
    one that the caller uses or signed in with."""

    id: Id
    name: str
    hint: str = Field(description="How the key begins.")
    role: Role = Field(description="What it may do: each role may do what those before it may.")
    created_at: ReplyInstant
    revoked_at: ReplyInstant = Field(
        default=None, description="When it was revoked; absent while it is in use."
    )
    expires_at: ReplyInstant = Field(
        default=None, description="Until when it works; absent where it does not end by itself."
    )
    networks: list[str] | None = Field(
        default=None, description="The addresses or networks it works from; absent where it works from all."
    )
    used_at: ReplyInstant = Field(
        default=None, description="When it was last used, to the quarter of an hour."
    )
    used_address: str | None = Field(default=None, description="The address that it was last used from.")
    own: bool = Field(
        default=False, description="Whether the call is made with this key, or by who signed in with it."
    )
    key: Annotated[str | None, Field(repr=False)] = Field(
        default=None, description="The key itself, in the answer that makes it and in no other."
    )


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
    role: Role = Field(description="What the groups of the person gave them at the last sign-in.")
    signed_in_at: ReplyInstant = Field(
        default=None, description="When the person last signed in, as far as the audit log says."
    )
    sessions: int = Field(description="How many sessions of the person are in use.")


MAX_PERSONAL_RECORDS = 10_000


class PersonalRecord(Reply):
    """A row that names a person: the table that it is in, and its content as it is stored."""

    place: str = Field(description="The table that it is in.")
    content: dict[str, Any] = Field(description="The row as it is stored.")


class PersonalData(Reply):
    """All that is on record of a person in the organisation, but for what documents and imported files say:
    at most 10,000 rows, and how many more there are (`left_out`), which the operator exports."""

    id: Id
    name: str
    email: str | None = None
    records: list[PersonalRecord] = Field(description="The rows that name the person.")
    left_out: int = Field(description="How many rows more there are.")


class ErasedPerson(Reply):
    """A person whose name and address are not on record any more; `name` is what stands in their place."""

    id: Id
    name: str = Field(description="What stands in the place of the person.")


class EndedSessions(Reply):
    """The person was signed out everywhere."""

    id: Id
    name: str
    ended: int = Field(description="How many sessions ended.")
