"""The dashboard in a process of its own, as `parley dashboard` runs it."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from app.dashboard.server.configuration import ROOT

SCRIPT = """
import sys
from app.dashboard.server.serving import serve_dashboard
from app.settings import Settings
serve_dashboard("127.0.0.1", int(sys.argv[1]), Settings())
"""


@contextmanager
def dashboard(
    folder: Path, *, script: str = SCRIPT, **environment: str
) -> Generator[tuple[str, subprocess.Popen[bytes]]]:
    """Its address and process. It is started in `folder`, which is no part of the repository, to show that
    it needs none."""
    port = _free_port()
    env = {k: v for k, v in os.environ.items() if not k.startswith(("PARLEY_", "STREAMLIT_"))}
    env |= {"PYTHONPATH": str(ROOT), "PARLEY_DATA_DIR": str(folder / "data"), **environment}
    with (folder / "dashboard.log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-c", script, str(port)], cwd=folder, env=env, stdout=log, stderr=log
        )
    address = f"http://127.0.0.1:{port}"
    try:
        _wait_until_up(address, process, folder / "dashboard.log")
        yield address, process
    finally:
        process.terminate()
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_until_up(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if process.poll() is not None:
            raise RuntimeError(f"the dashboard ended at once:\n{log.read_text()}")
        try:
            with urlopen(f"{address}/_stcore/health", timeout=2) as answer:
                # Any path is answered with 200 and a page: the body tells.
                if answer.read() == b"ok":
                    return
        except (URLError, OSError):
            time.sleep(0.1)
    raise RuntimeError(f"the dashboard did not start:\n{log.read_text()}")
