"""Uploaded files in a folder, which the hosts of a deployment may share."""

import contextlib
import errno
import os
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO
from uuid import uuid4

from app.files_url import FilesUrl
from app.service.storage.file_storage import (
    MARK,
    PIECE,
    PROBE,
    FileSavedBefore,
    FileStorage,
    ReadableStream,
    StorageFault,
    StorageProblem,
    StoredBytes,
    as_stream,
    hash_pieces,
)

_PROBLEMS = {
    errno.ENOSPC: StorageProblem.FULL,
    getattr(errno, "EDQUOT", errno.ENOSPC): StorageProblem.FULL,
    errno.EFBIG: StorageProblem.FULL,
    errno.EACCES: StorageProblem.REFUSED,
    errno.EPERM: StorageProblem.REFUSED,
    errno.EROFS: StorageProblem.REFUSED,
}
_WITHOUT_LINKS = {errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK}
"""What file systems answer that know no second name of a file, as some network shares do."""


class FolderStorage(FileStorage):
    """Files in one folder, spread over 256 subfolders, on the disk when `save` returns."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def place(self) -> str:
        return f"the folder {self.folder}"

    def save(self, file_id: str, source: ReadableStream, sha256: str) -> None:
        """Written beside and given its name once it is on the disk."""
        with self._faults():
            target = self._path(file_id)
            is_new = not target.parent.exists()
            target.parent.mkdir(parents=True, exist_ok=True)
            partial = target.with_name(f"{file_id}.{uuid4().hex}.partial")
            try:
                with partial.open("xb") as file:
                    file.writelines(hash_pieces(source, file_id, sha256, "the upload"))
                    file.flush()
                    os.fsync(file.fileno())
                try:
                    _give_name(partial, target)
                except FileExistsError:
                    raise FileSavedBefore(file_id, self.place) from None
            finally:
                partial.unlink(missing_ok=True)
            sync_folder(target.parent)
            if is_new:
                sync_folder(self.folder)

    @contextmanager
    def open(self, file_id: str, start: int = 0, length: int | None = None) -> Generator[BinaryIO]:
        with self._faults():
            file = self._path(file_id).open("rb")
        with file:
            file.seek(start)
            yield file if length is None else as_stream(_read_pieces(file, length))

    def stat(self, file_id: str) -> StoredBytes | None:
        with self._faults(), contextlib.suppress(FileNotFoundError):
            return StoredBytes(file_id, self._path(file_id).stat().st_size)
        return None

    def delete(self, file_id: str) -> None:
        with self._faults():
            self._path(file_id).unlink(missing_ok=True)

    def list_files(self) -> Iterator[StoredBytes]:
        with self._faults():
            folders = [one for one in self.folder.iterdir() if one.is_dir()] if self.folder.exists() else []
        for folder in sorted(folders):
            with self._faults():
                names = sorted(one.name for one in folder.iterdir() if not one.name.endswith(".partial"))
            for name in names:
                found = self.stat(name) if name.endswith(folder.name) else None
                if found is not None:
                    yield found

    def find_mark(self) -> str | None:
        with self._faults(), contextlib.suppress(FileNotFoundError):
            return (self.folder / MARK).read_text().strip()
        return None

    def mark(self, value: str) -> str:
        with self._faults():
            self.folder.mkdir(parents=True, exist_ok=True)
            draft = self.folder / f"{uuid4().hex}.partial"
            try:
                draft.write_text(value)
                with contextlib.suppress(FileExistsError):
                    _give_name(draft, self.folder / MARK)  # only one where two processes start at once
            finally:
                draft.unlink(missing_ok=True)
        return self.find_mark() or value

    def probe(self) -> None:
        marker = self.folder / f"{uuid4().hex}.partial"
        with self._faults():
            self.folder.mkdir(parents=True, exist_ok=True)
            try:
                with marker.open("wb") as file:
                    file.write(PROBE)
                    file.flush()
                    os.fsync(file.fileno())
            finally:
                marker.unlink(missing_ok=True)

    @contextmanager
    def local_copy(self, file_id: str, sha256: str) -> Generator[Path]:
        """The file itself, which nobody changes."""
        self.verify(file_id, sha256)
        yield self._path(file_id)

    def _path(self, file_id: str) -> Path:
        return self.folder / file_id[-2:] / file_id

    @contextmanager
    def _faults(self) -> Generator[None]:
        """Errors of the disk as StorageFault; that there is no such file stays what it is."""
        try:
            yield
        except FileNotFoundError:
            raise
        except OSError as error:
            problem = _PROBLEMS.get(error.errno or 0, StorageProblem.AWAY)
            raise StorageFault(problem, f"{self.place}: {error.strerror or error}") from error


def _read_pieces(file: BinaryIO, length: int) -> Iterator[bytes]:
    while length and (piece := file.read(min(PIECE, length))):
        length -= len(piece)
        yield piece


def _give_name(partial: Path, target: Path) -> None:
    """Raises FileExistsError where the name is taken."""
    try:
        os.link(partial, target)
    except OSError as error:
        if error.errno not in _WITHOUT_LINKS:
            raise
        if target.exists():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target)) from None
        partial.replace(target)


def sync_folder(folder: Path) -> None:
    """Bring the names in a folder to the disk, where the system has a way to do so."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def open_storage(url: FilesUrl, timeout: float) -> FileStorage:
    """The store, of which nothing is asked yet. An S3 store may take `timeout` seconds for a file."""
    if url.folder is not None:
        return FolderStorage(url.folder)
    # Its library is loaded only where it is used.
    from app.service.storage.s3 import S3Storage

    return S3Storage(url.bucket, url.prefix, timeout=timeout)
