"""What a key may do: an extension of the interface, see `/v1/openapi`."""

from .model import Reply

READS_ONLY_MARK = "x-reads-only"
"""Says in the description that an operation which is no GET may be called with a read-only key."""


class Access(Reply):
    """An API key as its holder may know it, or a person who signed in. For one that is `read_only` every
    operation that changes something answers 403."""

    key_name: str
    person: str | None = None
    organisation: str
    read_only: bool
