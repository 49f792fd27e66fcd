"""`parley up`: one process that starts and supervises service, worker and dashboard as its children."""

import os
import secrets
import signal
import subprocess
import sys
import time
import webbrowser
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import FrameType
from urllib.error import URLError
from urllib.request import urlopen

from app.dashboard.signing_in.one_time_link import KEY_VARIABLE, TOKEN_VARIABLE, link_address
from app.settings import Settings

START_SECONDS = 60.0
STOP_SECONDS = 20.0
MAX_RESTARTS = 5
"""When a child ends this often within `RESTARTS_WITHIN` seconds, all children are stopped."""
RESTARTS_WITHIN = 60.0


class StartFailed(Exception):
    """The children did not start, or one kept ending."""


@dataclass
class _Child:
    name: str
    arguments: list[str]
    environment: Mapping[str, str]
    process: "subprocess.Popen[bytes] | None" = None
    started: list[float] = field(default_factory=list[float])

    def start(self) -> None:
        now = time.monotonic()
        self.started = [moment for moment in self.started if now - moment < RESTARTS_WITHIN] + [now]
        # A group of its own: Ctrl-C in the terminal reaches the parent only, which ends all in order.
        self.process = subprocess.Popen(
            [sys.executable, "-m", "app.cli", *self.arguments],
            env={**os.environ, **self.environment},
            start_new_session=True,
        )

    def ended(self) -> bool:
        return self.process is not None and self.process.poll() is not None

    def stop(self) -> None:
        if self.process is None or self.process.poll() is not None:
            return
        self.process.terminate()
        try:
            self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Supervisor:
    """The three children of one deployment. `key` signs the dashboard's one-time link in."""

    def __init__(self, settings: Settings, *, host: str, port: int, dashboard_port: int, key: str) -> None:
        self._settings = settings
        self._token = secrets.token_urlsafe(24)
        shared = environment_of(settings)
        link = {TOKEN_VARIABLE: self._token, KEY_VARIABLE: key}
        self._children = [
            _Child("service", ["serve", "--host", host, "--port", str(port)], shared),
            _Child("worker", ["work"], {**shared, **_next_metrics_address(settings)}),
            _Child(
                "dashboard",
                ["dashboard", "--host", host, "--port", str(dashboard_port)],
                {**shared, **link},
            ),
        ]
        self._local_service = f"http://{_reachable(host)}:{port}/v1/health"
        self._local_dashboard = f"http://{_reachable(host)}:{dashboard_port}/_stcore/health"
        self._stopping = False

    @property
    def link(self) -> str:
        """The link that signs one browser in, once."""
        return link_address(self._settings.dashboard_url, self._token)

    def run(self, ready: Callable[[str], None]) -> None:
        """Start all children, call `ready` with the link when they answer, and wait for SIGINT or SIGTERM.
        StartFailed when they do not start, or keep ending."""
        previous = {one: signal.signal(one, self._stop) for one in (signal.SIGINT, signal.SIGTERM)}
        try:
            for child in self._children:
                child.start()
            self._wait_until_ready()
            if not self._stopping:
                ready(self.link)
            self._watch()
        finally:
            # The dashboard first: it lets writes finish while the service still answers.
            for child in reversed(self._children):
                child.stop()
            for one, handler in previous.items():
                signal.signal(one, handler)

    def _stop(self, _signal: int, _frame: FrameType | None) -> None:
        self._stopping = True

    def _wait_until_ready(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        waiting = [self._local_service, self._local_dashboard]
        while waiting and not self._stopping:
            for child in self._children:
                if child.ended():
                    raise StartFailed(f"the {child.name} ended while starting")
            waiting = [url for url in waiting if not _answers(url)]
            if time.monotonic() > deadline:
                raise StartFailed(f"no answer from {waiting[0]} within {START_SECONDS:g} seconds")
            time.sleep(0.05)

    def _watch(self) -> None:
        while not self._stopping:
            for child in self._children:
                if not child.ended() or self._stopping:
                    continue
                if len(child.started) > MAX_RESTARTS:
                    raise StartFailed(f"the {child.name} ended {MAX_RESTARTS} times within a minute")
                child.start()
            time.sleep(0.2)


def open_browser(link: str) -> None:
    """Open the link in a browser, if there is one."""
    try:
        webbrowser.open(link)
    except webbrowser.Error:
        return


def environment_of(settings: Settings) -> dict[str, str]:
    """The environment variables that a child reads these settings from."""
    environment: dict[str, str] = {}
    for name in settings.model_fields_set:
        value = getattr(settings, name)
        variable = "DATABASE_URL" if name == "database_url" else f"PARLEY_{name.upper()}"
        if value is None:
            continue
        if isinstance(value, tuple):
            environment[variable] = ",".join(str(part) for part in value)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
        elif hasattr(value, "get_secret_value"):
            environment[variable] = value.get_secret_value()
        else:
            environment[variable] = str(value)
    return environment


def _next_metrics_address(settings: Settings) -> dict[str, str]:
    """The worker's private address is one port after that of the service."""
    if settings.metrics_address is None:
        return {}
    host, _, port = settings.metrics_address.rpartition(":")
    return {"PARLEY_METRICS_ADDRESS": f"{host}:{int(port) + 1}"}


def _answers(url: str) -> bool:
    try:
        with urlopen(url, timeout=2):  # noqa: S310 (our own address)
            return True
    except (URLError, OSError):
        return False


def _reachable(host: str) -> str:
    """An address at which a server that listens on `host` can be reached from this machine."""
    return {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, host)  # noqa: S104 (compared, not listened on)
