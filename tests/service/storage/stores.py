"""Each kind of store that files may be in, empty."""

from pathlib import Path

import pytest

from app.service.storage.file_storage import FileStorage
from app.service.storage.folder import FolderStorage


@pytest.fixture(params=["folder"])
def files(request: pytest.FixtureRequest, tmp_path: Path) -> FileStorage:
    return FolderStorage(tmp_path / "files")
