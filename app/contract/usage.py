"""How many bytes an organisation stores: an extension, see `/v1/openapi`."""

from typing import Annotated, Literal, get_args

from pydantic import Field

from .model import Reply
from .values import open_words

ByteKind = Literal["files", "imports", "calls"]


class StoredBytes(Reply):
    """Bytes of one kind: of uploaded files, of the text that imports brought, or of the text that calls wrote
    since they are counted, also where it is gone by now. A call that would pass `most` answers 409."""

    kind: Annotated[str, open_words(*get_args(ByteKind))] = Field(description="What the bytes are of.")
    stored: int = Field(description="How many bytes there are.")
    most: int = Field(description="How many there may be.")


class Usage(Reply):
    """What the organisation stores, by kind."""

    bytes: list[StoredBytes] = Field(description="The bytes of each kind.")
