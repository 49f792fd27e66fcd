"""The client as its users install it: its size, and the time of its import."""

import os
import subprocess
import tempfile
from pathlib import Path

from tests.benchmarks.figures import Figure
from tests.client.package import install_client, installed_bytes


def run(full: bool) -> list[Figure]:
    """Both, where nothing else is installed."""
    with tempfile.TemporaryDirectory() as folder:
        python = install_client(Path(folder), "--compile-bytecode")
        megabytes = installed_bytes(python) / 1_000_000
        rounds = 30 if full else 10
        alone, libraries, client = _shortest(
            python, ["", "import httpx, pydantic", "import parley_client"], rounds
        )
    note = f"processor time, shortest of {rounds}; {libraries - alone:.2f} s of it httpx and pydantic"
    return [
        Figure(
            "client", "installed size", megabytes, "MB", at_most=15, note="with httpx, pydantic and bytecode"
        ),
        Figure("client", "time to import", client - alone, "s", at_most=0.35, note=note),
    ]


def _shortest(python: Path, programs: list[str], rounds: int) -> list[float]:
    """The shortest processor time of each program in seconds, which other work on the machine hardly changes.
    They take turns."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    times: list[list[float]] = [[] for _ in programs]
    for _ in range(rounds):
        for program, seconds in zip(programs, times, strict=True):
            began = _processor_time()
            subprocess.run([python, "-I", "-c", program], env=environment, check=True)
            seconds.append(_processor_time() - began)
    return [min(seconds) for seconds in times]


def _processor_time() -> float:
    times = os.times()
    return times.children_user + times.children_system
