"""Processes of our own that work on what somebody sent: documents, tables and JSON Schemas. They start with
nothing of ours in their environment, give up every right before its first byte, and exchange frames over
their standard input and output: the length of some bytes (8 bytes), then the bytes."""

import contextlib
import os
import subprocess
import sys
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, BinaryIO, Protocol

from app.service.documents.sandbox.isolation import isolate

_ROOT = Path(__file__).resolve().parents[4]
_ENVIRONMENT = {
    "LC_ALL": "C.UTF-8",
    "PYTHONPATH": str(_ROOT),
    "PYTHONDONTWRITEBYTECODE": "1",
    # Threads of numeric libraries reserve memory and gain nothing on small pages.
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    # The pictures of recognition go back to the system when they are done with: a scan takes 1.1 GiB with
    # the C library's own settings, and 0.7 GiB with these.
    "MALLOC_ARENA_MAX": "1",
    "MALLOC_MMAP_THRESHOLD_": str(1024**2),
}
_INHERITED = ("LD_LIBRARY_PATH", "TZ")
NICENESS = 10
"""By how much work in a process of its own comes after what callers wait for."""
_LENGTH_BYTES = 8
_POLL_SECONDS = 0.02


class ChildProcess(Protocol):
    """The part of `subprocess.Popen` that the owner of a child process needs."""

    pid: int
    returncode: int | None

    @property
    def stdin(self) -> IO[bytes] | None: ...
    @property
    def stdout(self) -> IO[bytes] | None: ...
    def poll(self) -> int | None: ...
    def wait(self) -> int | None: ...
    def kill(self) -> None: ...


class InvalidFrame(ValueError):
    """A child process wrote a frame of more bytes than it may."""


def start_process(
    module: str, *arguments: object, stdin: int | IO[bytes] = subprocess.PIPE, stdout: int = subprocess.PIPE
) -> subprocess.Popen[bytes]:
    """Start a module of ours as a process."""
    return subprocess.Popen(
        [sys.executable, "-m", module, *map(str, arguments)],
        stdin=stdin,
        stdout=stdout,
        stderr=subprocess.DEVNULL,
        env=_ENVIRONMENT | {name: os.environ[name] for name in _INHERITED if name in os.environ},
        cwd=_ROOT,
    )


def enter_isolation(parent: int | None, memory: int) -> tuple[BinaryIO, BinaryIO]:
    """Give way to other processes and give up every right, as `isolate` does; return the pipes to the parent.
    Libraries that print cannot write into them."""
    pipes = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.nice(NICENESS)
    isolate(parent, memory)
    return pipes


@contextmanager
def kill_in_time(
    process: ChildProcess, seconds: float, cancelled: threading.Event | None = None
) -> Generator[None]:
    """Kill the process when the context lasts longer, or once `cancelled` is set."""
    until = time.monotonic() + seconds
    done = threading.Event()

    def watch() -> None:
        while not done.wait(until - time.monotonic() if cancelled is None else _POLL_SECONDS):
            if time.monotonic() >= until or (cancelled is not None and cancelled.is_set()):
                process.kill()
                return

    watching = threading.Thread(target=watch, daemon=True)
    watching.start()
    try:
        yield
    finally:
        done.set()
        watching.join()


def end_process(process: ChildProcess) -> None:
    """Kill a process and wait for it, so that none is left behind."""
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with contextlib.suppress(OSError):
                stream.close()


def send_frames(stream: IO[bytes], *contents: bytes) -> None:
    """Write frames, and flush them."""
    for content in contents:
        stream.write(len(content).to_bytes(_LENGTH_BYTES, "big"))
        stream.write(content)
    stream.flush()


def receive_frame(stream: IO[bytes], most: int | None = None) -> bytes:
    """Return the next frame. Raises EOFError where it ends early, and InvalidFrame when it has more than
    `most` bytes."""
    length = int.from_bytes(_read(stream, _LENGTH_BYTES), "big")
    if most is not None and length > most:
        raise InvalidFrame(f"a message of {length} bytes")
    return _read(stream, length)


def _read(stream: IO[bytes], length: int) -> bytes:
    content = stream.read(length)
    if len(content) < length:
        raise EOFError
    return content
