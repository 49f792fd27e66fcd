"""Who calls, what a key may do, and how many bytes its organisation stores: the latter extensions of the
interface, see `/v1/openapi`."""

from collections.abc import Sequence
from typing import Annotated, Literal, get_args

from pydantic import Field

from .model import Reply
from .values import Id, open_words

Role = Literal["reader", "buyer", "admin", "owner"]
RANKS: Sequence[Role] = get_args(Role)
"""The roles, the lowest first: each may do what those before it may."""


def has_role(role: str, needed: str) -> bool:
    """Whether who has the one role may do what the other may."""
    return RANKS.index(role) >= RANKS.index(needed)


END_USER_IDENTIFIER = "x-svc-end-user-identifier"
END_USER_IP = "x-svc-end-user-ip"
END_USER_EMAIL = "x-svc-end-user-email"
END_USER_ORGANISATION = "x-svc-end-user-organization-name"
END_USER_NAMES = (END_USER_IDENTIFIER, END_USER_IP, END_USER_EMAIL, END_USER_ORGANISATION)
"""The headers of a call that say on whose behalf it is made."""

READS_ONLY_MARK = "x-reads-only"
"""Says in the description that an operation which is no GET may be called with a read-only key."""


NEEDED_ROLE_MARK = "x-needed-role"
"""Names in the description the lowest role that may call an operation, where not every role may."""


class Access(Reply):
    """An API key as its holder may know it, or a person who signed in. For one that is `read_only` every
    operation that changes something answers 403."""

    holder_id: Id | None = Field(default=None, description="The id of the API key or the person.")
    key_name: str = Field(
        description="The name that the API key was created with; of a person who signed in, theirs."
    )
    person: str | None = Field(
        default=None, description="The name of the person who signed in; absent for an API key."
    )
    organisation: str = Field(description="The organisation that the key belongs to, by its name.")
    role: Role | None = Field(
        default=None, description="What it may do: each role may do what those before it may."
    )
    """Each role may do what those before it may: reader, buyer, admin, owner."""
    read_only: bool = Field(description="Whether the key may only read.")


ByteKind = Literal["files", "imports", "calls"]


class StoredBytes(Reply):
    """Bytes of one kind: of uploaded files, of the text that imports brought, or of the text that calls wrote
    since they are counted, also where it is gone by now. A call that would pass `most` answers 409."""

    kind: Annotated[str, open_words(ByteKind)] = Field(description="What the bytes are of.")
    stored: int = Field(description="How many bytes there are.")
    most: int = Field(description="How many there may be.")


class Usage(Reply):
    """What the organisation stores, by kind."""

    bytes: list[StoredBytes] = Field(description="The bytes of each kind.")
