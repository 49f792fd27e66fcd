"""Read rows of a delimited text file as a stream; no line longer than the limit is held in memory."""

import codecs
import csv
import io
from collections.abc import Iterator
from typing import BinaryIO

from app.service.table_files.table import RejectedRow, UnreadableTable

MAX_LINE_BYTES = 1 << 20
_HEAD_BYTES = 1 << 18
_DELIMITERS = ",;\t|"


def read_delimited(stream: BinaryIO) -> Iterator[tuple[int, list[str]] | RejectedRow]:
    """Yield `(line, cells)` for each row, the header first, and a `RejectedRow` for a line that cannot be
    read."""
    head = _read_head(stream)
    lines = _BoundedLines(stream, head, _detect_encoding(head))
    first = next(iter(lines), None)
    if first is None:
        raise UnreadableTable("the file is empty" if not lines.skipped else _too_long_message(1))
    if lines.skipped:
        raise UnreadableTable(_too_long_message(1))
    delimiter = max(_DELIMITERS, key=first.count)
    lines.push_back(first)
    reader = csv.reader(lines, delimiter=delimiter, strict=False)
    while True:
        try:
            cells = next(reader, None)
        except csv.Error as error:
            yield RejectedRow(lines.number, f"cannot be split into cells: {error}")
            continue
        except UnicodeDecodeError:
            yield RejectedRow(lines.number, "is not in the encoding of the file's beginning")
            continue
        if lines.skipped:
            yield from lines.take_rejected()
        if cells is None:
            return
        if cells:
            yield lines.number, cells


def _too_long_message(line: int) -> str:
    return f"line {line} is longer than {MAX_LINE_BYTES >> 20} MiB"


def _read_head(stream: BinaryIO) -> bytes:
    head = stream.read(_HEAD_BYTES)
    if b"\x00" in head and not head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise UnreadableTable("the file is neither CSV, CSV.gz, XLSX nor Parquet")
    return head


def _detect_encoding(head: bytes) -> str:
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise UnreadableTable("the file is UTF-16; save it as UTF-8")
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"


class _BoundedLines:
    """The lines of a binary stream as text; a line beyond the limit is skipped and never held whole."""

    def __init__(self, stream: BinaryIO, head: bytes, encoding: str) -> None:
        self.number = 0
        self.skipped: list[int] = []
        self._lines = io.BufferedReader(_StreamWithHead(head.removeprefix(codecs.BOM_UTF8), stream), 1 << 16)
        self._encoding = encoding
        self._pushed: str | None = None

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        if self._pushed is not None:
            line, self._pushed = self._pushed, None
            return line
        while True:
            raw = self._lines.readline(MAX_LINE_BYTES)
            if not raw:
                raise StopIteration
            self.number += 1
            if len(raw) < MAX_LINE_BYTES or raw.endswith(b"\n"):
                return raw.decode(self._encoding).replace("\x00", "")
            self.skipped.append(self.number)
            while raw and not raw.endswith(b"\n"):
                raw = self._lines.readline(MAX_LINE_BYTES)

    def push_back(self, line: str) -> None:
        self._pushed = line

    def take_rejected(self) -> Iterator[RejectedRow]:
        for number in self.skipped:
            yield RejectedRow(number, f"longer than {MAX_LINE_BYTES >> 20} MiB")
        self.skipped.clear()


class _StreamWithHead(io.RawIOBase):
    """A binary stream with the bytes put back that were already read from its beginning."""

    def __init__(self, head: bytes, rest: BinaryIO) -> None:
        self._head = head
        self._rest = rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        piece = self._head[: len(buffer)]
        if piece:
            self._head = self._head[len(piece) :]
        else:
            piece = self._rest.read(len(buffer))
        buffer[: len(piece)] = piece
        return len(piece)
