"""Writes the rows of a table file as the messages that `row_messages` reads. It loads little: a process that
reads one file starts with it."""

import json
from collections.abc import Iterable
from dataclasses import asdict, replace
from datetime import date
from math import isfinite
from typing import IO, cast

from app.service.documents.sandbox.child_process import send_frames
from app.service.tables.table import CellError, FormattedNumber, RejectedRow, TableHead, TableRow
from app.storable_text import make_storable

MESSAGE_ROWS, MESSAGE_CHARACTERS = 500, 1 << 20
"""After so many rows, or characters in them, a message is sent."""
MAX_ROW_CHARACTERS = 4 << 20
MAX_REASON, MAX_SHOWN, MAX_NOTES = 2_000, 200, 100
"""Characters of a heading or of a sentence, of what is only shown, and how many notes and headings of another
sheet are sent."""


def send_head(stream: IO[bytes], head: TableHead) -> None:
    """Write what is known of the table before its rows."""
    sheets = [replace(one, headings=one.headings[:MAX_NOTES]) for one in head.sheets]
    head = replace(head, sheets=sheets, notes=head.notes[:MAX_NOTES], titles=head.titles[:MAX_NOTES])
    _send(stream, {"kind": "head", "head": _shorten(asdict(head))})


def _shorten(value: object) -> object:
    """Return what is known of a table with texts of bounded length that can be stored."""
    if isinstance(value, str):
        return make_storable(value[:MAX_REASON])
    if isinstance(value, dict):
        return {name: _shorten(one) for name, one in cast(dict[str, object], value).items()}
    return list(map(_shorten, cast(list[object], value))) if isinstance(value, (list, tuple)) else value


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
        return {"text": make_storable(cell.text[:MAX_SHOWN]), "reason": cell.reason[:MAX_SHOWN]}
    return str(cell)


def _send(stream: IO[bytes], message: dict[str, object]) -> None:
    send_frames(stream, json.dumps(message, separators=(",", ":")).encode())
