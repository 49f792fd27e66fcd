"""What a process that isolated itself can still do: tried for real, each attempt in one process."""

import json
import os
import subprocess
import sys

import pytest

from app.service.documents.sandbox.isolation import Isolation, find_isolation

_TRY = """
import json, os, resource, socket, subprocess, sys, threading
from app.service.documents.sandbox.isolation import isolate
isolate(int(sys.argv[1]), 1024**3)
parent = int(sys.argv[1])
attempts = {
    "network": lambda: socket.socket(),
    "local socket": lambda: socket.socketpair(),
    "file": lambda: open("/etc/passwd").close(),
    "folder": lambda: os.listdir("/"),
    "environment of the parent": lambda: open(f"/proc/{parent}/environ").close(),
    "new file": lambda: open(sys.argv[2], "w").close(),
    "fork": os.fork,
    "program": lambda: subprocess.run(["true"]),
    "other program": lambda: os.execv("/bin/true", ["true"]),
    "signal": lambda: os.kill(parent, 0),
    "limits of the parent": lambda: resource.prlimit(parent, resource.RLIMIT_NOFILE, (5, 5)),
    "memory": lambda: bytearray(2 * 1024**3),
    "thread": lambda: threading.Thread(target=print).start(),
    "library": lambda: __import__("pypdfium2"),
}
refused = []
for name, attempt in attempts.items():
    try:
        attempt()
    except (OSError, MemoryError):
        refused.append(name)
print(json.dumps(refused))
"""
_OF_NETWORK = {
    "network", "local socket", "fork", "program", "other program", "signal", "limits of the parent",
}  # fmt: skip
_OF_FILES = {"file", "folder", "environment of the parent", "new file"}


def test_a_reading_process_can_do_nothing_but_read(tmp_path: os.PathLike[str]) -> None:
    command = [sys.executable, "-c", _TRY, str(os.getpid()), os.path.join(tmp_path, "new")]
    run = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    refused = set(json.loads(run.stdout.splitlines()[-1]))
    found = find_isolation()
    expected = (
        {"memory"} | (_OF_NETWORK if found.no_network else set()) | (_OF_FILES if found.no_files else set())
    )
    assert refused >= expected
    assert not refused & {"thread", "library"}


@pytest.mark.skipif(sys.platform != "linux", reason="Linux has filters of system calls")
def test_linux_offers_the_filter_of_system_calls() -> None:
    assert find_isolation().no_network
    assert find_isolation().ends_with_parent


def test_what_is_in_force_is_said() -> None:
    nothing, everything = Isolation(False, False, False), Isolation(True, True, True)
    assert everything.complete
    assert not nothing.complete
    assert all("without" in one or "ends with" in one for one in everything.describe())
    assert [one for one in nothing.describe() if one in everything.describe()] == []
