"""Two hosts with a service, a worker and a dashboard each, on one PostgreSQL and behind one proxy: real
processes, each on a port of its own, that can be killed and started again."""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from ipaddress import ip_network
from pathlib import Path

import httpx
from pydantic import SecretStr

from app.service.access.keys import create_key
from app.service.context import open_context
from app.service.database.schema import migrate
from app.service.sample.seeding import ensure_sample
from app.settings import Settings
from app.supervisor import environment_of
from tests.deployment.proxy import nginx_command, write_configuration
from tests.flows.deployment import ROOT, free_port
from tests.service.conftest import VAULT_KEY

START_SECONDS = 90
STOP_SECONDS = 60
HOSTS = ("a", "b")
PARLEY = (sys.executable, "-m", "app.cli")


@dataclass
class HostProcess:
    """One process: `name` is like `worker-a`. It answers `healthy` at `health` once it is at work."""

    name: str
    command: list[str]
    environment: dict[str, str]
    folder: Path
    health: str
    healthy: int = 200
    source: Path = ROOT
    process: "subprocess.Popen[bytes] | None" = field(default=None, init=False)

    @property
    def log(self) -> Path:
        return self.folder / f"{self.name}.log"

    @property
    def pid(self) -> int:
        assert self.process is not None
        return self.process.pid

    def start(self) -> None:
        """Start it and wait until it is at work."""
        self.begin()
        self.wait_until_at_work()

    def begin(self) -> None:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command,
                cwd=self.source,
                env=self.environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def wait_until_at_work(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        while not self._is_at_work():
            assert self.process is not None
            assert self.process.poll() is None, f"{self.name} ended: {self.log.read_text()}"
            assert time.monotonic() < deadline, f"{self.name} did not start: {self.log.read_text()}"
            time.sleep(0.05)

    def kill(self) -> None:
        """Kill it with all processes that it started, as a machine does that loses power."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Let it end in order."""
        self._end(signal.SIGTERM)

    def _end(self, number: signal.Signals) -> None:
        if self.process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            if number is signal.SIGKILL:
                os.killpg(self.process.pid, number)
            else:
                self.process.send_signal(number)
        try:
            self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            raise
        self.process = None

    def _is_at_work(self) -> bool:
        try:
            return httpx.get(self.health, timeout=5, verify=False).status_code == self.healthy
        except httpx.TransportError:
            return False


@dataclass(frozen=True)
class TwoHosts:
    """The processes of both hosts by name, the proxy and its address, and a full key."""

    address: str
    key: str
    processes: dict[str, HostProcess]
    proxy: HostProcess
    settings: Settings

    def of_kind(self, kind: str) -> list[HostProcess]:
        return [self.processes[f"{kind}-{host}"] for host in HOSTS]

    def worker_pids(self) -> dict[int, str]:
        """The workers that run, by their process."""
        return {one.pid: one.name for one in self.of_kind("worker") if one.process is not None}

    def organisation_key(self, organisation: str) -> str:
        """A full key of an organisation."""
        context = open_context(self.settings)
        try:
            with context.database.writing() as connection:
                return create_key(
                    connection,
                    name="test",
                    organisation_name=organisation,
                    role="owner",
                    now=context.clock(),
                )[1]
        finally:
            context.close()


@contextmanager
def two_hosts(
    folder: Path,
    database_url: str,
    *,
    environment: dict[str, str] | None = None,
    files_url: str | None = None,
) -> Generator[TwoHosts]:
    """The two hosts at work with sample data, until the block ends. They share a folder of files, or with
    `files_url` that store and no folder."""
    port, ports = (
        free_port(),
        {f"{kind}-{host}": free_port() for kind in ("serve", "dashboard") for host in HOSTS},
    )
    address = f"http://127.0.0.1:{port}"
    settings = Settings(
        data_dir=folder / "data",
        database_url=database_url,
        secret_key=SecretStr(VAULT_KEY),
        public_url=address,
        dashboard_url=address,
        public_aliases=(f"http://localhost:{port}",),  # as dashboards reach it inside their network
        rate_limit=0,
        webhook_allow=(ip_network("127.0.0.0/8"),),
        files_url=files_url,
    )
    _prepare(settings)
    common = {name: value for name, value in os.environ.items() if not name.startswith("PARLEY_")}
    common |= environment_of(settings) | {"PYTHONDONTWRITEBYTECODE": "1"} | (environment or {})
    processes = {one.name: one for one in _processes(folder, ports, common)}
    proxy = _proxy(folder, port, ports)
    everything = [*processes.values(), proxy]
    with ExitStack() as stack:
        stack.callback(_stop_all, everything)
        for one in everything:
            one.begin()
        for one in everything:
            one.wait_until_at_work()
        hosts = TwoHosts(address, "", processes, proxy, settings)
        yield replace(hosts, key=hosts.organisation_key("Acme"))


def _proxy(folder: Path, port: int, ports: dict[str, int]) -> HostProcess:
    configuration = folder / "proxy"
    services, dashboards = ([ports[f"{kind}-{host}"] for host in HOSTS] for kind in ("serve", "dashboard"))
    write_configuration(configuration, port, services, dashboards)
    health = f"http://127.0.0.1:{port}/_stcore/metrics"
    return HostProcess("proxy", nginx_command(configuration), dict(os.environ), folder, health, healthy=404)


def _processes(folder: Path, ports: dict[str, int], common: dict[str, str]) -> Iterator[HostProcess]:
    for host in HOSTS:
        serve, dashboard = ports[f"serve-{host}"], ports[f"dashboard-{host}"]
        environment = {**common, "PARLEY_DATA_DIR": str(_data_folder(folder, host))}
        yield HostProcess(
            f"service-{host}",
            [*PARLEY, "serve", "--port", str(serve)],
            environment,
            folder,
            f"http://127.0.0.1:{serve}/readyz",
        )
        private = f"127.0.0.1:{free_port()}"
        yield HostProcess(
            f"worker-{host}",
            [*PARLEY, "work"],
            {**environment, "PARLEY_METRICS_ADDRESS": private},
            folder,
            f"http://{private}/readyz",
        )
        yield HostProcess(
            f"dashboard-{host}",
            [*PARLEY, "dashboard", "--port", str(dashboard)],
            {**environment, "PARLEY_DEPLOYMENTS": common["PARLEY_PUBLIC_ALIASES"]},
            folder,
            f"http://127.0.0.1:{dashboard}/_stcore/health",
        )


def _data_folder(folder: Path, host: str) -> Path:
    """A folder of the host's own, in which the documents alone are those of both, as on a mounted volume."""
    own, documents = folder / f"data-{host}", folder / "data" / "files"
    documents.mkdir(exist_ok=True)
    own.mkdir()
    (own / "files").symlink_to(documents)
    return own


def _prepare(settings: Settings) -> None:
    context = open_context(settings)
    try:
        migrate(context.database)
        ensure_sample(context)
    finally:
        context.close()


def _stop_all(processes: Sequence[HostProcess]) -> None:
    for one in processes:
        if one.process is not None:
            one.process.terminate()
    for one in processes:
        one.stop()


def copy_of_another_version(folder: Path, version: str) -> Path:
    """A folder with the same code under another version's number."""
    for name in ("app", "pages", "components", ".streamlit"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    file = folder / "app" / "contract" / "version.py"
    changed, count = re.subn(r'^VERSION = ".*"$', f'VERSION = "{version}"', file.read_text(), flags=re.M)
    assert count == 1
    file.write_text(changed)
    return folder
