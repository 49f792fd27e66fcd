"""What a service and its reading processes say to each other: pickled, the length before it."""

import pickle
from dataclasses import dataclass
from typing import IO

_LENGTH_BYTES = 8


@dataclass(frozen=True, slots=True)
class ReadRequest:
    """Asks what a document says; see `read_document`."""

    content: bytes
    filename: str
    ignore_embedded: bool
    page_limit: int


@dataclass(frozen=True, slots=True)
class RenderRequest:
    """Asks for a page as a picture; see `render_page`."""

    content: bytes
    filename: str
    page: int
    width: int


def send(stream: IO[bytes], message: object) -> None:
    """Write one message."""
    body = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
    stream.write(len(body).to_bytes(_LENGTH_BYTES, "big"))
    stream.write(body)
    stream.flush()


def receive(stream: IO[bytes]) -> object:
    """Return the next message. Raises EOFError when the other side has gone."""
    head = stream.read(_LENGTH_BYTES)
    if len(head) < _LENGTH_BYTES:
        raise EOFError
    body = stream.read(int.from_bytes(head, "big"))
    if len(body) < int.from_bytes(head, "big"):
        raise EOFError
    return pickle.loads(body)
