"""What a service and its reading processes write to each other: JSON of known shapes, with bytes beside it.

A message is a frame of JSON and one of bytes. A reading process may be in the hands of the file that it
reads, so what it writes is bounded and validated, and can name no code.
"""

import re
from dataclasses import dataclass
from typing import IO, Annotated, Literal, TypeAlias

from pydantic import Field, TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError, to_json

from app.service.documents.extraction import Extraction
from app.service.documents.faults import DocumentFault, UnreadableDocument, UnsupportedDocument
from app.service.documents.layout.pages import Page
from app.service.documents.sandbox.child_process import InvalidFrame, receive_frame, send_frames
from app.service.documents.second_opinion.question import NamedWords, Question
from app.storable_text import make_json_storable

LARGEST_ANSWER = 64 * 1024**2
"""Bytes of JSON, and bytes beside it, that a reading process may answer with."""

_WRITTEN_NUL = re.compile(rb"(?<!\\)((?:\\\\)*)\\u0000")
"""A NUL in the JSON of a text, and the backslashes of the text before it."""


@dataclass(frozen=True, slots=True)
class ReadRequest:
    """Asks what a document says; see `read_document`. Its content stands beside it.

    `asks_second_opinion` wants to know what a second opinion is to be asked, `named` is what it answered.
    """

    filename: str
    ignore_embedded: bool
    page_limit: int
    processor_seconds: int
    clock_seconds: float
    share_scans: bool = False
    recognised: tuple[Page, ...] | None = None
    asks_second_opinion: bool = False
    named: NamedWords | None = None
    kind: Literal["read"] = "read"


@dataclass(frozen=True, slots=True)
class RecogniseRequest:
    """Asks for the words of a scanned page; see `read_scan`. Its document stands beside it."""

    filename: str
    page: int
    processor_seconds: int
    kind: Literal["recognise"] = "recognise"


@dataclass(frozen=True, slots=True)
class RenderRequest:
    """Asks for a page of a document as a picture; see `render_page`. Its content stands beside it."""

    filename: str
    page: int
    width: int
    processor_seconds: int
    kind: Literal["render"] = "render"


@dataclass(frozen=True, slots=True)
class Reading:
    """What a document says, what a second opinion is to be asked about it, and what it changed."""

    extraction: Extraction
    question: Question | None = None
    settled: tuple[Annotated[str, Field(max_length=2000)], ...] = ()
    kind: Literal["reading"] = "reading"


@dataclass(frozen=True, slots=True)
class Scans:
    """The numbers of scanned pages that are to be recognised before the document is read."""

    pages: tuple[int, ...]
    kind: Literal["scans"] = "scans"


@dataclass(frozen=True, slots=True)
class Recognised:
    """A scanned page with its words, and the seconds of the processor that it took."""

    page: Page
    processor_seconds: float
    kind: Literal["recognised"] = "recognised"


@dataclass(frozen=True, slots=True)
class Picture:
    """A page as a picture, which stands beside it as PNG."""

    kind: Literal["picture"] = "picture"


@dataclass(frozen=True, slots=True)
class Failure:
    """Why there is no answer; `reason` is a sentence for the person who sent the file."""

    fault: Literal["unreadable", "unsupported", "no such page"]
    reason: Annotated[str, Field(max_length=2000)]
    kind: Literal["failure"] = "failure"

    def exception(self) -> DocumentFault | IndexError:
        """The exception that a caller of the reader gets."""
        match self.fault:
            case "unreadable":
                return UnreadableDocument(self.reason)
            case "unsupported":
                return UnsupportedDocument(self.reason)
            case "no such page":
                return IndexError(self.reason)


Request: TypeAlias = ReadRequest | RecogniseRequest | RenderRequest
Answer: TypeAlias = Reading | Scans | Recognised | Picture | Failure

_REQUEST = TypeAdapter[Request](Annotated[Request, Field(discriminator="kind")])
_ANSWER = TypeAdapter[Answer](Annotated[Answer, Field(discriminator="kind")])


class InvalidAnswer(ValueError):
    """A reading process wrote what is no answer."""


def send_request(stream: IO[bytes], request: Request, content: bytes) -> None:
    """Write a request with the content of its document."""
    send_frames(stream, _REQUEST.dump_json(request), content)


def receive_request(stream: IO[bytes]) -> tuple[Request, bytes]:
    """Return the next request with its content. Raises EOFError when the service has gone."""
    head, content = receive_frame(stream), receive_frame(stream)
    return _REQUEST.validate_json(head), content


def send_answer(stream: IO[bytes], answer: Answer, content: bytes = b"") -> None:
    """Write an answer, with its picture if there is one."""
    try:
        head = _ANSWER.dump_json(answer)
    except PydanticSerializationError:  # a text of the document has half of a character
        head = to_json(make_json_storable(_ANSWER.dump_python(answer)))
    send_frames(stream, head, content)


def receive_answer(stream: IO[bytes]) -> tuple[Answer, bytes]:
    """Return the next answer with its picture; no text of it holds a NUL. Raises EOFError when the reading
    process has gone, and InvalidAnswer for anything else than an answer."""
    try:
        head, content = receive_frame(stream, LARGEST_ANSWER), receive_frame(stream, LARGEST_ANSWER)
    except InvalidFrame as invalid:
        raise InvalidAnswer(str(invalid)) from None
    head = _WRITTEN_NUL.sub(rb"\1\\ufffd", head) if rb"\u0000" in head else head
    try:
        return _ANSWER.validate_json(head, strict=True), content
    except ValidationError as invalid:
        raise InvalidAnswer(f"{invalid.error_count()} values of the answer are invalid") from invalid
