"""What a process that reads a table file writes to the process that asked: rows, as JSON of a known shape.

A message is the length of its JSON (8 bytes) and the JSON. The reading process may be in the hands of the
file that it reads, so what it writes is bounded and validated, and can name no code.
"""

from collections.abc import Generator, Sequence
from datetime import date, datetime
from typing import IO, Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from app.service.documents.sandbox.child_process import InvalidFrame, receive_frame
from app.service.table_files.row_sending import MAX_REASON, MAX_SHOWN
from app.service.tables.table import CellError, FormattedNumber, RejectedRow, TableHead, TableRow

MAX_MESSAGE_BYTES = 64 << 20


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")


class _Day(_Strict):
    """A cell that is a date, with a time of day where it has one."""

    day: date | datetime


class _Row(_Strict):
    line: int
    cells: list[str | int | float | bool | _Day | CellError | None]
    shown: list[tuple[int, int]] = []
    """The positions of numbers whose format shows more than digits, each with that of its format."""
    merged: list[int] = []
    """Those of them whose cells cover several rows."""


class _Head(_Strict):
    """What is known of the table before its rows."""

    kind: Literal["head"]
    head: TableHead


class _Rows(_Strict):
    kind: Literal["rows"]
    rows: list[_Row | RejectedRow]
    formats: list[Annotated[str, Field(max_length=MAX_SHOWN)]]


class _End(_Strict):
    """The end of the file; `error` says why it cannot be read, for the person who sent it."""

    kind: Literal["end"]
    error: Annotated[str | None, Field(max_length=MAX_REASON)] = None


_Message = _Head | _Rows | _End
_MESSAGE = TypeAdapter[_Message](Annotated[_Message, Field(discriminator="kind")])


class InvalidMessage(ValueError):
    """The reading process wrote what is no message, or ended in the middle of one."""


class FileFault(Exception):
    """The file cannot be read; the message is a sentence."""


def receive_head(stream: IO[bytes]) -> TableHead:
    """Return what is known of the table. Raises FileFault and InvalidMessage."""
    message = _receive(stream)
    if isinstance(message, _End) and message.error is not None:
        raise FileFault(message.error)
    if not isinstance(message, _Head):
        raise InvalidMessage("the head of the table is missing")
    return message.head


def receive_rows(stream: IO[bytes]) -> Generator[TableRow | RejectedRow]:
    """Yield the rows until the end. Raises FileFault and InvalidMessage."""
    while True:
        message = _receive(stream)
        if isinstance(message, _Head):
            raise InvalidMessage("a second head of the table")
        if isinstance(message, _End):
            if message.error is not None:
                raise FileFault(message.error)
            return
        for row in message.rows:
            yield row if isinstance(row, RejectedRow) else (row.line, _read_cells(row, message.formats))


def _read_cells(row: _Row, formats: Sequence[str]) -> list[object]:
    cells: list[object] = [cell.day if isinstance(cell, _Day) else cell for cell in row.cells]
    for at, number in row.shown:
        if not (0 <= at < len(cells) and 0 <= number < len(formats)):
            raise InvalidMessage("there is no such cell, or no such format")
        value = cells[at]
        if isinstance(value, int | float):
            cells[at] = FormattedNumber(value, formats[number], at in row.merged)
    return cells


def _receive(stream: IO[bytes]) -> _Message:
    try:
        return _MESSAGE.validate_json(receive_frame(stream, MAX_MESSAGE_BYTES))
    except EOFError:
        raise InvalidMessage("the message ends early") from None
    except InvalidFrame as invalid:
        raise InvalidMessage(str(invalid)) from None
    except ValidationError as invalid:
        raise InvalidMessage(f"{invalid.error_count()} values of the message are invalid") from None
