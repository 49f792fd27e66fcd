"""The pictures that were drawn of pages, in a folder of this host: each can be drawn again at any time."""

import contextlib
from pathlib import Path
from uuid import uuid4


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
