"""What a key may do: an extension of the interface, see `/v1/openapi`."""

from typing import Literal

from .model import Reply
from .values import Id

Role = Literal["reader", "buyer", "admin", "owner"]

READS_ONLY_MARK = "x-reads-only"
"""Says in the description that an operation which is no GET may be called with a read-only key."""


NEEDED_ROLE_MARK = "x-needed-role"
"""Names in the description the lowest role that may call an operation, where not every role may."""


class Access(Reply):
    """An API key as its holder may know it, or a person who signed in. For one that is `read_only` every
    operation that changes something answers 403."""

    holder_id: Id | None = None
    key_name: str
    person: str | None = None
    organisation: str
    role: Role | None = None
    """Each role may do what those before it may: reader, buyer, admin, owner."""
    read_only: bool
