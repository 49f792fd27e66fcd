"""A whole deployment as a stranger starts it: `parley up` in a folder of its own."""

import os
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

START_SECONDS = 90
ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Deployment:
    """Where it is and how to sign in."""

    folder: Path
    service: str
    dashboard: str
    link: str

    def parley(self, *arguments: str) -> str:
        """Runs a command of `parley` on the deployment's data; its output."""
        done = subprocess.run(
            [sys.executable, "-m", "app.cli", *arguments, "--data-dir", str(self.folder)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def new_key(self, organisation: str = "Default") -> str:
        """A full API key of an organisation."""
        return self.parley("keys", "create", "--name", "test", "--organisation", organisation).split()[-1]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def parley_up(
    folder: Path, *options: str, umask: int = -1, settings: Mapping[str, str] | None = None
) -> Generator[Deployment]:
    """`parley up --no-browser` with `options`, `settings` of its environment and a `umask`, until the block
    ends; it must then stop by itself."""
    port, dashboard_port = free_port(), free_port()
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PARLEY_")}
    environment.pop("DATABASE_URL", None)
    where = ("--data-dir", str(folder), "--port", str(port), "--dashboard-port", str(dashboard_port))
    process = subprocess.Popen(
        [sys.executable, "-m", "app.cli", "up", "--no-browser", *where, *options],
        cwd=ROOT,
        env={**environment, "PARLEY_RATE_LIMIT": "0", **(settings or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        umask=umask,
    )
    printed: list[str] = []
    reader = threading.Thread(target=lambda: printed.extend(process.stdout or []), daemon=True)
    reader.start()
    try:
        link = _wait_for_link(process, printed)
        yield Deployment(folder, f"http://127.0.0.1:{port}", f"http://127.0.0.1:{dashboard_port}", link)
        assert process.poll() is None, "".join(printed)
    finally:
        process.terminate()
        try:
            status = process.wait(60)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
        finally:
            reader.join()
            if process.stdout is not None:
                process.stdout.close()
    assert status == 0, "".join(printed)


def _wait_for_link(process: "subprocess.Popen[str]", printed: list[str]) -> str:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        found = re.search(r"http://\S+/\?link=\S+", "".join(printed))
        if found:
            return found.group()
        assert process.poll() is None, "".join(printed)
        time.sleep(0.1)
    raise AssertionError(f"not up within {START_SECONDS} s: {''.join(printed)}")
