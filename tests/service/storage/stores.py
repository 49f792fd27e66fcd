"""Each kind of store that files may be in, empty."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.service.ids import new_id
from app.service.storage.file_storage import FileStorage
from app.service.storage.folder import FolderStorage
from app.service.storage.s3 import S3Storage
from tests.service.storage.seaweed import BUCKET, Seaweed, installed, shared_seaweed


@pytest.fixture(scope="session")
def seaweed_server(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Iterator[Seaweed]:
    program = installed()
    if program is None:
        pytest.skip("SeaweedFS is not installed here")
    base = tmp_path_factory.getbasetemp()
    with shared_seaweed(program, (base if worker_id == "master" else base.parent) / "seaweed") as server:
        yield server


@pytest.fixture
def seaweed(seaweed_server: Seaweed, monkeypatch: pytest.MonkeyPatch) -> Seaweed:
    """The store, named by this process's environment."""
    for name, value in seaweed_server.environment.items():
        monkeypatch.setenv(name, value)
    return seaweed_server


def empty_s3_storage(**options: float) -> S3Storage:
    """A store in the bucket under a prefix that nothing else has."""
    return S3Storage(BUCKET, f"test/{new_id()}", timeout=options.get("timeout", 10))


@pytest.fixture(params=["folder", "s3"])
def files(request: pytest.FixtureRequest, tmp_path: Path) -> FileStorage:
    if request.param == "folder":
        return FolderStorage(tmp_path / "files")
    request.getfixturevalue("seaweed")
    return empty_s3_storage()
