"""What a process that reads a table file writes to the process that asked: rows, as JSON of a known shape.

A message is the length of its JSON (8 bytes) and the JSON. The reading process may be in the hands of the
file that it reads, so what it writes is bounded and validated, and can name no code.
"""

from collections.abc import Iterator
from datetime import date
from typing import IO, Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from app.service.table_files.row_sending import LENGTH_BYTES, MAX_REASON
from app.service.table_files.table import RejectedRow, TableRow

MAX_MESSAGE_BYTES = 64 << 20


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")


class _Day(_Strict):
    """A cell that is a date, as a workbook stores it."""

    day: Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\d$")]


class _Row(_Strict):
    line: int
    cells: list[str | int | float | bool | _Day | None]


class _Rejected(_Strict):
    line: int
    reason: Annotated[str, Field(max_length=MAX_REASON)]


class _Rows(_Strict):
    kind: Literal["rows"] = "rows"
    rows: list[_Row | _Rejected]


class _End(_Strict):
    """The end of the file; `error` says why it cannot be read, for the person who sent it."""

    kind: Literal["end"] = "end"
    error: Annotated[str | None, Field(max_length=MAX_REASON)] = None


_MESSAGE = TypeAdapter[_Rows | _End](Annotated[_Rows | _End, Field(discriminator="kind")])


class InvalidMessage(ValueError):
    """The reading process wrote what is no message, or ended in the middle of one."""


class FileFault(Exception):
    """The file cannot be read; the message is a sentence."""


def receive_rows(stream: IO[bytes]) -> Iterator[TableRow | RejectedRow]:
    """Yield the rows until the end. Raises FileFault and InvalidMessage."""
    while True:
        message = _receive(stream)
        if isinstance(message, _End):
            if message.error is not None:
                raise FileFault(message.error)
            return
        for row in message.rows:
            if isinstance(row, _Rejected):
                yield RejectedRow(row.line, row.reason)
            else:
                yield row.line, [_read_day(cell) if isinstance(cell, _Day) else cell for cell in row.cells]


def _read_day(cell: _Day) -> date | str:
    try:
        return date.fromisoformat(cell.day)
    except ValueError:
        return cell.day


def _receive(stream: IO[bytes]) -> _Rows | _End:
    length = int.from_bytes(_read(stream, LENGTH_BYTES), "big")
    if length > MAX_MESSAGE_BYTES:
        raise InvalidMessage(f"a message of {length} bytes")
    try:
        return _MESSAGE.validate_json(_read(stream, length))
    except ValidationError as invalid:
        raise InvalidMessage(f"{invalid.error_count()} values of the message are invalid") from None


def _read(stream: IO[bytes], length: int) -> bytes:
    content = stream.read(length)
    if len(content) < length:
        raise InvalidMessage("the message ends early")
    return content
