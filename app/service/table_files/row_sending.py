"""Writes the rows of a table file as the messages that `row_messages` reads. It loads little: a process that
reads one file starts with it."""

import json
from collections.abc import Iterable
from datetime import date, datetime
from math import isfinite
from typing import IO

from app.service.table_files.table import RejectedRow, TableRow
from app.storable_text import make_storable

LENGTH_BYTES = 8
MESSAGE_ROWS, MESSAGE_CHARACTERS = 500, 1 << 20
"""After so many rows, or characters in them, a message is sent."""
MAX_ROW_CHARACTERS = 4 << 20
MAX_REASON = 2_000


def send_rows(stream: IO[bytes], rows: Iterable[TableRow | RejectedRow]) -> None:
    """Write all rows, without the end."""
    batch: list[dict[str, object]] = []
    size = 0
    for row in rows:
        written, length = _write_row(row)
        batch.append(written)
        size += length
        if len(batch) == MESSAGE_ROWS or size > MESSAGE_CHARACTERS:
            _send(stream, {"kind": "rows", "rows": batch})
            batch = []
            size = 0
    if batch:
        _send(stream, {"kind": "rows", "rows": batch})


def send_end(stream: IO[bytes], error: str | None = None) -> None:
    """Write that there are no more rows, or why."""
    _send(stream, {"kind": "end", "error": None if error is None else error[:MAX_REASON]})


def _write_row(row: TableRow | RejectedRow) -> tuple[dict[str, object], int]:
    """Return a row as JSON, and about how long it is."""
    if isinstance(row, RejectedRow):
        return {"line": row.line, "reason": row.reason[:MAX_REASON]}, len(row.reason)
    line, cells = row
    length = sum(len(cell) for cell in cells if isinstance(cell, str))
    if length > MAX_ROW_CHARACTERS:
        return {"line": line, "reason": f"longer than {MAX_ROW_CHARACTERS:,} characters"}, 0
    return {"line": line, "cells": [_write_cell(cell) for cell in cells]}, length + 8 * len(cells)


def _write_cell(cell: object) -> object:
    if isinstance(cell, str):
        return make_storable(cell)
    if cell is None or isinstance(cell, int):
        return cell
    if isinstance(cell, float):
        return cell if isfinite(cell) else None
    if isinstance(cell, datetime):
        return {"day": cell.date().isoformat()}
    return {"day": cell.isoformat()} if isinstance(cell, date) else str(cell)


def _send(stream: IO[bytes], message: dict[str, object]) -> None:
    text = json.dumps(message, separators=(",", ":")).encode()
    stream.write(len(text).to_bytes(LENGTH_BYTES, "big") + text)
    stream.flush()
