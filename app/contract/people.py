"""Who may use an organisation's data, people and API keys: an extension, see `/v1/openapi`."""

from typing import Annotated

from pydantic import Field

from .access import Role
from .model import Reply, Request
from .values import Id, Name, ReplyInstant


class NewKey(Request):
    """The body of `POST /v1/keys`. Nobody gives a key a higher role than their own."""

    name: Annotated[Name, Field(max_length=200)]
    role: Role = Field(description="What it may do, at most as much as who makes it.")


class ApiKey(Reply):
    """An API key of the organisation; one that was revoked has `revoked_at`. Only the answer that makes a key
    has the `key` itself. `own` marks the one that the caller uses or signed in with."""

    id: Id
    name: str
    hint: str = Field(description="How the key begins.")
    role: Role = Field(description="What it may do: each role may do what those before it may.")
    created_at: ReplyInstant
    revoked_at: ReplyInstant = Field(
        default=None, description="When it was revoked; absent while it is in use."
    )
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


class EndedSessions(Reply):
    """The person was signed out everywhere."""

    id: Id
    name: str
    ended: int = Field(description="How many sessions ended.")
