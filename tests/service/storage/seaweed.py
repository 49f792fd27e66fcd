"""A real S3-compatible store for the tests: SeaweedFS, one for all processes of a run, started by the first
that needs it and ended by the last."""

import contextlib
import fcntl
import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import httpx

from tests.flows.deployment import free_port

ACCESS_KEY = "parley"
SECRET_KEY = "parley-secret"
START_SECONDS = 60
BUCKET = "files"


@dataclass(frozen=True)
class Seaweed:
    """A store that is up, with an empty bucket; `process` is its id."""

    endpoint: str
    process: int
    folder: Path

    @property
    def environment(self) -> dict[str, str]:
        """The variables by which programs reach it."""
        return {
            "AWS_ENDPOINT_URL": self.endpoint,
            "AWS_REGION": "us-east-1",
            "AWS_ACCESS_KEY_ID": ACCESS_KEY,
            "AWS_SECRET_ACCESS_KEY": SECRET_KEY,
        }


def installed() -> str | None:
    """The path of the program, which a package of its own brings."""
    return shutil.which("weed")


class SeaweedServer:
    """A server on ports of its own, that can be killed and started again on the same data."""

    def __init__(self, program: str, folder: Path) -> None:
        self._program = program
        self._folder = folder
        self._ports = [free_port() for _ in range(8)]
        self.endpoint = f"http://127.0.0.1:{self._ports[6]}"
        self._process = 0

    def start(self) -> int:
        """Start it, with the bucket, and return the id of its process."""
        (self._folder / "data").mkdir(parents=True, exist_ok=True)
        keys = {"accessKey": ACCESS_KEY, "secretKey": SECRET_KEY}
        actions = ["Admin", "Read", "Write", "List"]
        identity = {"name": "parley", "credentials": [keys], "actions": actions}
        (self._folder / "keys.json").write_text(json.dumps({"identities": [identity]}))
        # By a shell that ends, as whoever starts it may end before others are done with it.
        shell = ["sh", "-c", 'exec "$@" >>log 2>&1 & echo $!', "sh", *self._command()]
        done = subprocess.run(
            shell, cwd=self._folder, stdout=subprocess.PIPE, start_new_session=True, check=True
        )
        self._process = int(done.stdout)
        deadline = time.monotonic() + START_SECONDS
        while not self._is_up():
            if time.monotonic() > deadline:
                self.kill()
                raise RuntimeError(f"SeaweedFS did not start: {(self._folder / 'log').read_text()[-2000:]}")
            time.sleep(0.1)
        return self._process

    def kill(self) -> None:
        """End it as a machine does that loses power."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._process, signal.SIGKILL)

    def _is_up(self) -> bool:
        # A bucket is a folder of the filer; the last of its parts to come up is that it takes files.
        filer = f"http://127.0.0.1:{self._ports[4]}/buckets/{BUCKET}"
        try:
            made = httpx.post(f"{filer}/", timeout=2)
            tried = httpx.put(f"{filer}/is-up", content=b"1", timeout=2)
            asked = httpx.get(f"{self.endpoint}/{BUCKET}", timeout=2)
            httpx.delete(f"{filer}/is-up", timeout=2)
        except httpx.HTTPError:
            return False
        return made.status_code in {201, 409} and tried.status_code == 201 and asked.status_code == 403

    def _command(self) -> list[str]:
        master, master_grpc, volume, volume_grpc, filer, filer_grpc, s3, s3_grpc = self._ports
        options = {
            "dir": self._folder / "data",
            "ip": "127.0.0.1",
            "ip.bind": "127.0.0.1",
            "master.port": master,
            "master.port.grpc": master_grpc,
            "master.volumeSizeLimitMB": 64,
            "master.telemetry": "false",
            "volume.port": volume,
            "volume.port.grpc": volume_grpc,
            "volume.port.public": volume,
            "volume.max": 20,
            "filer": "true",
            "filer.port": filer,
            "filer.port.grpc": filer_grpc,
            "s3": "true",
            "s3.port": s3,
            "s3.port.grpc": s3_grpc,
            "s3.port.iceberg": 0,
            "s3.port.lance": 0,
            "s3.config": self._folder / "keys.json",
            "s3.autoCreateBucket": "false",
            "iam": "false",
        }
        return [self._program, "server", *(f"-{name}={value}" for name, value in options.items())]


@contextmanager
def shared_seaweed(program: str, folder: Path) -> Generator[Seaweed]:
    """The server of this run; `folder` is one that its processes share."""
    folder.mkdir(exist_ok=True)
    with (folder / "users").open("a") as users, (folder / "start").open("a") as start:
        with _locked(start):
            fcntl.flock(users, fcntl.LOCK_SH)
            address = folder / "address"
            if not address.exists():
                server = SeaweedServer(program, folder)
                process = server.start()
                address.write_text(f"{server.endpoint} {process}")
            endpoint, _, process_id = address.read_text().partition(" ")
        try:
            yield Seaweed(endpoint, int(process_id), folder)
        finally:
            with _locked(start), contextlib.suppress(BlockingIOError, ProcessLookupError):
                fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)  # refused while others use it
                address.unlink(missing_ok=True)
                os.kill(int(process_id), signal.SIGKILL)


@contextmanager
def _locked(file: IO[str]) -> Generator[None]:
    fcntl.flock(file, fcntl.LOCK_EX)
    try:
        yield
    finally:
        fcntl.flock(file, fcntl.LOCK_UN)
