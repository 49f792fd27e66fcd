"""What a process that reads a table file writes to the process that asked: rows, as JSON of a known shape.

A message is the length of its JSON (8 bytes) and the JSON. The reading process may be in the hands of the
file that it reads, so what it writes is bounded and validated, and can name no code.
"""

from collections.abc import Generator, Sequence
from datetime import date, datetime
from typing import IO, Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from app.service.documents.sandbox.child_process import InvalidFrame, receive_frame
from app.service.table_files.row_sending import MAX_NAME, MAX_NOTES, MAX_REASON, MAX_SHOWN
from app.service.tables.table import (
    CellError,
    EncodingReading,
    FormattedNumber,
    RejectedRow,
    Sheet,
    TableHead,
    TableRow,
)

MAX_MESSAGE_BYTES = 64 << 20


_Name = Annotated[str, Field(max_length=MAX_NAME)]
_Shown = Annotated[str, Field(max_length=MAX_SHOWN)]


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")


class _Day(_Strict):
    """A cell that is a date, with a time of day where it has one."""

    day: Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\d(T[\d:.]{5,15}([+-]\d\d:\d\d)?)?$")]

    def read(self) -> object:
        """Return the cell."""
        try:
            return (datetime if "T" in self.day else date).fromisoformat(self.day)
        except ValueError:
            return self.day


class _Error(_Strict):
    """A cell without a value."""

    error: _Shown
    reason: _Shown

    def read(self) -> object:
        """Return the cell."""
        return CellError(self.error, self.reason)


class _Row(_Strict):
    line: int
    cells: list[str | int | float | bool | _Day | _Error | None]
    shown: list[tuple[int, int]] = []
    """The positions of numbers whose format shows more than digits, each with that of its format."""
    merged: list[int] = []
    """Those of them whose cells cover several rows."""


class _Rejected(_Strict):
    line: int
    reason: Annotated[str, Field(max_length=MAX_REASON)]


class _Sheet(_Strict):
    name: _Name
    hidden: bool
    rows: int
    headings: list[_Shown]


class _Encoding(_Strict):
    encoding: _Shown
    example: _Shown


class _Head(_Strict):
    """What is known of the table before its rows."""

    kind: Literal["head"] = "head"
    headings: list[_Name]
    line: int
    notes: Annotated[list[Annotated[str, Field(max_length=MAX_REASON)]], Field(max_length=MAX_NOTES)]
    sheet: _Name | None
    sheets: list[_Sheet]
    encoding: _Shown | None
    alternatives: list[_Encoding]
    titles: Annotated[list[_Shown], Field(max_length=MAX_NOTES)]


class _Rows(_Strict):
    kind: Literal["rows"] = "rows"
    rows: list[_Row | _Rejected]
    formats: list[_Shown]


class _End(_Strict):
    """The end of the file; `error` says why it cannot be read, for the person who sent it."""

    kind: Literal["end"] = "end"
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
    return TableHead(
        message.headings,
        message.line,
        message.notes,
        message.sheet,
        [Sheet(one.name, one.hidden, one.rows, tuple(one.headings)) for one in message.sheets],
        message.encoding,
        [EncodingReading(one.encoding, one.example) for one in message.alternatives],
        message.titles,
    )


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
            if isinstance(row, _Rejected):
                yield RejectedRow(row.line, row.reason)
            else:
                yield row.line, _read_cells(row, message.formats)


def _read_cells(row: _Row, formats: Sequence[str]) -> list[object]:
    cells = [cell.read() if isinstance(cell, _Day | _Error) else cell for cell in row.cells]
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
