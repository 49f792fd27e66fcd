"""The disk is full, for real: a clear failure, nothing lost, and work goes on when there is room."""

import asyncio
import os
import subprocess
import threading
from collections.abc import Generator
from pathlib import Path

import pytest
from pydantic import SecretStr
from starlette.testclient import TestClient

from app.service.database.schema import migrate
from app.service.http.dependencies import CONTEXT
from app.service.main import create_service
from app.settings import Settings
from tests.service.background.worker_fixture import until, worker
from tests.service.conftest import VAULT_KEY, key_for
from tests.service.webhooks.receivers import Received, serving, status
from tests.service.webhooks.webhook_factory import happen, states

SIZE = 8 * 1024 * 1024


@pytest.fixture
def small_disk(tmp_path: Path) -> Generator[Path]:
    """A file system of its own, of a few megabytes."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("only root may mount a small disk")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(folder: Path) -> Path:
    """A file that takes all the room that is left."""
    ballast = folder / "ballast"
    with ballast.open("wb", buffering=0) as file:
        for size in (65536, 4096, 512, 1):
            try:
                while file.write(b"x" * size):
                    pass
            except OSError:
                continue
    return ballast


@pytest.mark.campaign
def test_a_full_disk_is_said_loses_nothing_and_is_got_over(small_disk: Path) -> None:
    settings = Settings(data_dir=small_disk / "data", rate_limit=0, secret_key=SecretStr(VAULT_KEY))
    service = create_service(settings)
    context = CONTEXT.get(service)
    migrate(context.database)
    released = threading.Event()

    async def answer_when_allowed(received: Received, writer: asyncio.StreamWriter) -> None:
        await asyncio.to_thread(released.wait)
        await status(200, "", "x" * 4000)(received, writer)

    with (
        serving(answer_when_allowed) as told,
        TestClient(service, raise_server_exceptions=False) as api,
        worker(settings),
    ):
        api.headers["Authorization"] = f"Bearer {key_for(context)}"
        new = {"url": told.url, "events": ["scope.extracted"]}
        id = api.post("/v1/webhooks", json=new).json()["id"]
        owed = happen(context, id, 40)
        until(lambda: len(told.received) >= 16)
        ballast = fill(small_disk)

        refused = api.post(f"/v1/webhooks/{id}/test")
        while refused.status_code == 201:  # what room the database still had inside
            owed.append(refused.json()["eventId"])
            refused = api.post(f"/v1/webhooks/{id}/test")
        assert refused.status_code == 503, refused.text
        assert refused.headers["retry-after"]
        assert "no room" in refused.json()["detail"]
        assert api.get(f"/v1/webhooks/{id}/events").status_code == 200
        released.set()
        ballast.unlink()
        until(lambda: states(context, id) == {"succeeded": len(owed)})
        assert api.post(f"/v1/webhooks/{id}/test").status_code == 201
        assert {each.headers["webhook-id"] for each in list(told.received)} >= set(owed)
