"""A folder of files says what is wrong with its disk, and leaves nothing half-written."""

import errno
import io
import os
import resource
import signal
from collections.abc import Generator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

import pytest

from app.service.storage.file_storage import FileSavedBefore, StorageFault, StorageProblem
from app.service.storage.folder import FolderStorage

DIGEST = sha256(b"content").hexdigest()


@contextmanager
def _full_disk() -> Generator[None]:
    """A write fails, though permissions allow it."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


def _entries(folder: Path) -> list[str]:
    return [path.name for path in folder.rglob("*") if path.is_file()]


def test_a_full_disk_is_named_and_nothing_is_left(tmp_path: Path) -> None:
    files = FolderStorage(tmp_path)
    assert files.is_writable()
    with _full_disk():
        assert not files.is_writable()
        with pytest.raises(StorageFault) as fault:
            files.save("0a", io.BytesIO(b"content"), DIGEST)
    assert fault.value.problem is StorageProblem.FULL
    assert str(tmp_path) in str(fault.value)
    assert files.is_writable()
    assert _entries(tmp_path) == []


def test_a_file_in_the_place_of_the_folder_is_a_fault_and_no_missing_file(tmp_path: Path) -> None:
    (tmp_path / "files").write_text("")
    files = FolderStorage(tmp_path / "files")
    assert not files.is_writable()
    for attempt in (
        lambda: files.save("0a", io.BytesIO(b"content"), DIGEST),
        lambda: files.read("0a", DIGEST),
    ):
        with pytest.raises(StorageFault):
            attempt()


def test_a_file_system_without_links_keeps_the_first_file_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr(os, "link", refuse)
    files = FolderStorage(tmp_path)
    files.save("0a", io.BytesIO(b"content"), DIGEST)
    with pytest.raises(FileSavedBefore):
        files.save("0a", io.BytesIO(b"other"), sha256(b"other").hexdigest())
    assert files.read("0a", DIGEST) == b"content"
    assert _entries(tmp_path) == ["0a"]
