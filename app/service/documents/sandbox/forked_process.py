"""Reading processes that are copies of one fork server, as the process that asks for them sees them."""

import atexit
import json
import os
import signal
import socket
import subprocess
import threading
from collections.abc import Mapping
from typing import IO

from app.service.documents.sandbox.child_process import start_process
from app.service.documents.sandbox.fork_server import MOST_BYTES

_starting = threading.Lock()


class ForkServer:
    """A process that holds the reader's libraries and is copied for each reading process.

    It ends, and its copies with it, when this process does. Safe to use from any thread.
    """

    def __init__(self) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = start_process(
                "app.service.documents.sandbox.fork_server",
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
            )
        self._socket = ours
        self._asking = threading.Lock()

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def close(self) -> None:
        """End the server, and its copies with it."""
        self._socket.close()
        self._process.wait()

    def ask(self, request: Mapping[str, int], descriptors: tuple[int, ...] = ()) -> int | None:
        """Return the server's answer. Raises OSError when the server is no more."""
        with self._asking:
            socket.send_fds(self._socket, [json.dumps(request).encode()], descriptors)
            answer = self._socket.recv(MOST_BYTES)
        if not answer:
            raise ConnectionError("The fork server ended.")
        result: int | None = json.loads(answer)
        return result


class ForkedProcess:
    """A copy of the fork server that reads documents; a `ChildProcess`."""

    def __init__(self, memory: int) -> None:
        self._server = _find_server()
        requests, self.stdin = _open_pipe(reads=False)
        answers, self.stdout = _open_pipe(reads=True)
        try:
            process = self._server.ask({"memory": memory}, (requests, answers))
        except OSError:
            self.stdin.close()
            self.stdout.close()
            raise
        finally:
            os.close(requests)
            os.close(answers)
        assert process is not None
        self.pid = process
        self.returncode: int | None = None
        self._ending = threading.Lock()

    def poll(self) -> int | None:
        """How the process ended, as `subprocess` gives it; None while it runs."""
        return self._find_end(block=False)

    def wait(self) -> int | None:
        """The same, once it ended."""
        return self._find_end(block=True)

    def kill(self) -> None:
        # The server forgets a process only when it was asked how it ended, so the number is still its own.
        with self._ending:
            if self.returncode is None and self._server.alive:
                os.kill(self.pid, signal.SIGKILL)

    def _find_end(self, *, block: bool) -> int | None:
        with self._ending:
            if self.returncode is None:
                try:
                    self.returncode = self._server.ask({"wait": self.pid, "block": block})
                except OSError:  # the server ended, and this process with it
                    self.returncode = -signal.SIGKILL
            return self.returncode


def _open_pipe(*, reads: bool) -> tuple[int, IO[bytes]]:
    """The other process's end of a new pipe, and ours."""
    reading, writing = os.pipe()
    return (writing, os.fdopen(reading, "rb")) if reads else (reading, os.fdopen(writing, "wb"))


_servers: list[ForkServer] = []
"""The server of this process; none before the first document."""


def _find_server() -> ForkServer:
    with _starting:
        if _servers and not _servers[0].alive:
            _servers.pop().close()
        if not _servers:
            _servers.append(ForkServer())
            atexit.register(_servers[0].close)
        return _servers[0]
