"""Who may use an organisation's data, people and API keys: an extension, see `/v1/openapi`."""

from typing import Annotated

from pydantic import Field

from .access import Role
from .model import Reply, Request
from .values import Id, Name, ReplyInstant


class NewKey(Request):
    """The body of `POST /v1/keys`. Nobody gives a key a higher role than their own."""

    name: Annotated[Name, Field(max_length=200)]
    role: Role


class ApiKey(Reply):
    """An API key of the organisation; one that was revoked has `revoked_at`. Only the answer that makes a key
    has the `key` itself. `own` marks the one that the caller uses or signed in with."""

    id: Id
    name: str
    hint: str
    role: Role
    created_at: ReplyInstant
    revoked_at: ReplyInstant = None
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


class EndedSessions(Reply):
    """The person was signed out everywhere."""

    id: Id
    name: str
    ended: int
