"""Writes the rows of a table file as the messages that `row_messages` reads. It loads little: a process that
reads one file starts with it."""

import json
from collections.abc import Generator, Iterable, Sequence
from datetime import date, datetime
from math import isfinite
from typing import IO, Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from app.service.documents.sandbox.child_process import InvalidFrame, receive_frame, send_frames
from app.service.tables.table import (
    CellError,
    EncodingReading,
    FormattedNumber,
    RejectedRow,
    Sheet,
    TableHead,
    TableRow,
)
from app.storable_text import make_storable

MESSAGE_ROWS, MESSAGE_CHARACTERS = 500, 1 << 20
"""After so many rows, or characters in them, a message is sent."""
MAX_ROW_CHARACTERS = 4 << 20
MAX_REASON = 2_000
MAX_NAME, MAX_SHOWN, MAX_NOTES = 20_000, 200, 100
"""Characters of a heading or of the name of a sheet, of one that is only shown, and how many notes and
headings of another sheet are sent."""


def send_head(stream: IO[bytes], head: TableHead) -> None:
    """Write what is known of the table before its rows."""
    message: dict[str, object] = {
        "kind": "head",
        "headings": [make_storable(name[:MAX_NAME]) for name in head.headings],
        "line": head.line,
        "notes": [make_storable(note[:MAX_REASON]) for note in head.notes[:MAX_NOTES]],
        "sheet": None if head.sheet is None else make_storable(head.sheet[:MAX_NAME]),
        "sheets": [
            {
                "name": make_storable(sheet.name[:MAX_NAME]),
                "hidden": sheet.hidden,
                "rows": sheet.rows,
                "headings": [make_storable(name[:MAX_SHOWN]) for name in sheet.headings[:MAX_NOTES]],
            }
            for sheet in head.sheets
        ],
        "encoding": head.encoding,
        "alternatives": [
            {"encoding": one.encoding, "example": make_storable(one.example[:MAX_SHOWN])}
            for one in head.alternatives
        ],
    }
    _send(stream, message)


def send_rows(stream: IO[bytes], rows: Iterable[TableRow | RejectedRow]) -> None:
    """Write all rows, without the end."""
    batch: list[dict[str, object]] = []
    formats: dict[str, int] = {}
    size = 0
    for row in rows:
        written, length = _write_row(row, formats)
        batch.append(written)
        size += length
        if len(batch) == MESSAGE_ROWS or size > MESSAGE_CHARACTERS:
            _send(stream, {"kind": "rows", "rows": batch, "formats": list(formats)})
            batch = []
            formats = {}
            size = 0
    if batch:
        _send(stream, {"kind": "rows", "rows": batch, "formats": list(formats)})


def send_end(stream: IO[bytes], error: str | None = None) -> None:
    """Write that there are no more rows, or why."""
    _send(stream, {"kind": "end", "error": None if error is None else error[:MAX_REASON]})


def _write_row(row: TableRow | RejectedRow, formats: dict[str, int]) -> tuple[dict[str, object], int]:
    """Return a row as JSON, and about how long it is. `formats` are those of its message's numbers, each with
    its position, to which those of the row are added."""
    if isinstance(row, RejectedRow):
        return {"line": row.line, "reason": row.reason[:MAX_REASON]}, len(row.reason)
    line, cells = row
    length = sum(len(cell) for cell in cells if isinstance(cell, str))
    if length > MAX_ROW_CHARACTERS:
        return {"line": line, "reason": f"longer than {MAX_ROW_CHARACTERS:,} characters"}, 0
    written: dict[str, object] = {"line": line, "cells": [_write_cell(cell) for cell in cells]}
    shown = [
        (at, formats.setdefault(make_storable(cell.number_format[:MAX_SHOWN]), len(formats)))
        for at, cell in enumerate(cells)
        if isinstance(cell, FormattedNumber)
    ]
    if shown:
        written["shown"] = shown
        written["merged"] = [at for at, _ in shown if getattr(cells[at], "is_merged", False)]
    return written, length + 8 * len(cells)


def _write_cell(cell: object) -> object:
    if isinstance(cell, str):
        return make_storable(cell)
    if cell is None or isinstance(cell, int):
        return cell
    if isinstance(cell, float):
        return cell if isfinite(cell) else None
    if isinstance(cell, date):
        return {"day": cell.isoformat()}
    if isinstance(cell, CellError):
        return {"error": make_storable(cell.text[:MAX_SHOWN]), "reason": cell.reason[:MAX_SHOWN]}
    return str(cell)


def _send(stream: IO[bytes], message: dict[str, object]) -> None:
    send_frames(stream, json.dumps(message, separators=(",", ":")).encode())


_MAX_MESSAGE_BYTES = 64 << 20


_Name = Annotated[str, Field(max_length=MAX_NAME)]
_Shown = Annotated[str, Field(max_length=MAX_SHOWN)]


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")

    def read(self) -> object:
        """Return what the part of a message stands for."""
        raise NotImplementedError


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
    cells = [cell.read() if isinstance(cell, _Strict) else cell for cell in row.cells]
    for at, number in row.shown:
        if not (0 <= at < len(cells) and 0 <= number < len(formats)):
            raise InvalidMessage("there is no such cell, or no such format")
        value = cells[at]
        if isinstance(value, int | float):
            cells[at] = FormattedNumber(value, formats[number], at in row.merged)
    return cells


def _receive(stream: IO[bytes]) -> _Message:
    try:
        return _MESSAGE.validate_json(receive_frame(stream, _MAX_MESSAGE_BYTES))
    except EOFError:
        raise InvalidMessage("the message ends early") from None
    except InvalidFrame as invalid:
        raise InvalidMessage(str(invalid)) from None
    except ValidationError as invalid:
        raise InvalidMessage(f"{invalid.error_count()} values of the message are invalid") from None
