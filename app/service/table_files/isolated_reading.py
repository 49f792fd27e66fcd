"""Read a table file that somebody sent in a process of its own, which can do nothing but read it."""

import io
import json
import os
import select
import signal
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from app.service.documents.sandbox.child_process import end_process, start_process
from app.service.table_files.options import NOTHING_STATED, FileOptions
from app.service.table_files.row_messages import FileFault, InvalidMessage, receive_head, receive_rows
from app.service.tables.reading import is_text_table, open_table
from app.service.tables.table import RejectedRow, Table, TableRow, UnreadableTable

MEMORY = 1024**3
PROCESSOR_SECONDS = 300
SILENCE_SECONDS = 600.0
"""After so long without a row the process hangs: on a busy machine its own seconds take longer."""

_FAILED = "the file made its reader fail; it may be damaged or too large"


@contextmanager
def open_table_file(path: Path, said: FileOptions = NOTHING_STATED) -> Generator[Table]:
    """Open the table of a file that an operator names. A workbook and Parquet are read as one that somebody
    sent; text is read here, line by line of bounded length, which is ten times faster."""
    with path.open("rb") as stream:
        if is_text_table(stream):
            yield open_table(stream, encoding=said.encoding)
            return
    with open_table_isolated(path, said) as table:
        yield table


@contextmanager
def open_table_isolated(path: Path, said: FileOptions = NOTHING_STATED) -> Generator[Table]:
    """Open the table of a file; its process ends with the context.

    Raises UnreadableTable, which may be while the rows are read. Call it from a thread that lives as long as
    the context: Linux ends the process with that thread.
    """
    wanted = json.dumps({"sheet": said.sheet, "encoding": said.encoding})
    with path.open("rb") as content:
        process = start_process(
            "app.service.table_files.reading_process",
            *(os.getpid(), MEMORY, PROCESSOR_SECONDS, wanted),
            stdin=content,
        )
    try:
        assert process.stdout is not None
        answers = cast(IO[bytes], io.BufferedReader(_WatchedPipe(process.stdout.fileno()), 1 << 20))
        with _explain_failure(process):
            head = receive_head(answers)
        rows = _receive(process, answers)
        yield Table(head, rows, lambda name: open_table_isolated(path, FileOptions(sheet=name)))
    finally:
        end_process(process)


def _receive(process: subprocess.Popen[bytes], answers: IO[bytes]) -> Generator[TableRow | RejectedRow]:
    with _explain_failure(process):
        yield from receive_rows(answers)


@contextmanager
def _explain_failure(process: subprocess.Popen[bytes]) -> Generator[None]:
    try:
        yield
    except FileFault as fault:
        raise UnreadableTable(str(fault)) from None
    except (InvalidMessage, TimeoutError):
        process.kill()
        is_slow = process.wait() == -signal.SIGXCPU
        slow = f"the file needs more than {PROCESSOR_SECONDS} seconds of the processor"
        raise UnreadableTable(slow if is_slow else _FAILED) from None


class _WatchedPipe(io.RawIOBase):
    """The end of a pipe that is read from. Raises TimeoutError after a long silence."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        if not select.select([self._descriptor], [], [], SILENCE_SECONDS)[0]:
            raise TimeoutError
        piece = os.read(self._descriptor, len(buffer))
        buffer[: len(piece)] = piece
        return len(piece)
