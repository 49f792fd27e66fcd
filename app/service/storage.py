"""Where bytes live: uploaded files, and the pictures drawn of their pages, each in a folder."""

import contextlib
import os
import shutil
from pathlib import Path
from typing import BinaryIO
from uuid import uuid4

MARK = "folder-id"
WRITE_MARKER = b"Parley writes this to see whether the folder takes files.\n"


class FileStorage:
    """Files in one folder, spread over 256 subfolders. A file is there whole or not at all."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, file_id: str) -> Path:
        return self.folder / file_id[-2:] / file_id

    def save(self, file_id: str, source: BinaryIO) -> None:
        """Copies `source` from its start, written beside and renamed once it is on the disk."""
        target = self.path(file_id)
        target.parent.mkdir(parents=True, exist_ok=True)
        partial = target.with_suffix(".partial")
        try:
            with partial.open("wb") as file:
                source.seek(0)
                shutil.copyfileobj(source, file, 1 << 20)
                file.flush()
                os.fsync(file.fileno())
            partial.replace(target)
        except BaseException:
            partial.unlink(missing_ok=True)
            raise

    def read(self, file_id: str) -> bytes:
        """The bytes. FileNotFoundError when there are none."""
        return self.path(file_id).read_bytes()

    def delete(self, file_id: str) -> None:
        self.path(file_id).unlink(missing_ok=True)

    def identify(self, *, may_mark: bool) -> str | None:
        """The random id that marks the folder, wherever it is mounted. A folder without one is marked where
        that is allowed; else None."""
        mark = self.folder / MARK
        if may_mark and not mark.exists():
            self.folder.mkdir(parents=True, exist_ok=True)
            made = uuid4().hex
            draft = self.folder / f"{made}.partial"
            draft.write_text(made)
            with contextlib.suppress(FileExistsError):
                os.link(draft, mark)  # whole from the start, and only one where two processes start at once
            draft.unlink()
        return mark.read_text().strip() if mark.exists() else None

    def is_writable(self) -> bool:
        """Whether a file could be saved now, found out by writing one: a full or read-only disk has the same
        permissions as one that takes files. May hang as long as the disk does."""
        marker = self.folder / f"{uuid4().hex}.partial"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            try:
                with marker.open("wb") as file:
                    file.write(WRITE_MARKER)
                    file.flush()
                    os.fsync(file.fileno())
            finally:
                marker.unlink(missing_ok=True)
        except OSError:
            return False
        return True


class PictureStorage:
    """The pictures that were drawn last of pages, in one folder of bounded size.

    They go by the file's id: two organisations never share one, and a file never changes.
    """

    def __init__(self, folder: Path, most_bytes: int = 256 * 1024**2) -> None:
        self._folder = folder
        self._most_bytes = most_bytes

    def find(self, file_id: str, page: int, width: int) -> bytes | None:
        """The picture as PNG; None where it was not drawn lately."""
        path = self._path(file_id, page, width)
        try:
            picture = path.read_bytes()
            path.touch()
        except OSError:
            return None
        return picture

    def save(self, file_id: str, page: int, width: int, picture: bytes) -> None:
        """Keep a picture if there is room on the disk, and let those go that were shown longest ago."""
        path = self._path(file_id, page, width)
        partial = path.with_suffix(f".{uuid4().hex}.partial")
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            partial.write_bytes(picture)
            partial.replace(path)
            self._drop_oldest()
        except OSError:
            with contextlib.suppress(OSError):
                partial.unlink()

    def _path(self, file_id: str, page: int, width: int) -> Path:
        return self._folder / f"{file_id}-{page}-{width}.png"

    def _drop_oldest(self) -> None:
        found = sorted(
            ((path, path.stat()) for path in self._folder.iterdir()), key=lambda one: one[1].st_mtime
        )
        excess = sum(stat.st_size for _, stat in found) - self._most_bytes
        for path, stat in found:
            if excess <= 0:
                return
            path.unlink(missing_ok=True)
            excess -= stat.st_size
