"""Where the bytes of uploaded files live, whatever keeps them: each under the id of its row, written once."""

import hashlib
import io
from abc import ABC, abstractmethod
from collections.abc import Generator, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import BinaryIO, Protocol, cast
from uuid import uuid4

PIECE = 1 << 20
"""Bytes that are read at once."""
MARK = "folder-id"
"""The name of the entry that tells one store from another."""
PROBE = b"Parley writes this to see whether the store takes files.\n"


class StorageProblem(StrEnum):
    """What keeps a store from working now."""

    AWAY = "away"
    FULL = "full"
    REFUSED = "refused"


class StorageFault(Exception):
    """The store cannot do what was asked, which left nothing behind. The message, in one line, says to an
    operator where the store is and what it said."""

    def __init__(self, problem: StorageProblem, message: str) -> None:
        super().__init__(problem, message)
        self.problem = problem
        self.message = message

    def __str__(self) -> str:
        return self.message


@dataclass(eq=False)
class DamagedFile(Exception):
    """The bytes of a file are not those of its SHA-256."""

    file_id: str
    place: str

    def __str__(self) -> str:
        return f"the bytes of file {self.file_id} in {self.place} are not those that were uploaded"


@dataclass(eq=False)
class FileSavedBefore(Exception):
    """There is a file of this id, and it stays as it is."""

    file_id: str
    place: str

    def __str__(self) -> str:
        return f"there is a file {self.file_id} in {self.place} already"


@dataclass(frozen=True)
class StoredBytes:
    """What a store says of a file without reading it; `size` in bytes."""

    file_id: str
    size: int


class ReadableStream(Protocol):
    """Bytes in their order."""

    def read(self, size: int = -1, /) -> bytes: ...


class FileStorage(ABC):
    """Files by their ids. A file is there whole or not at all, and is never changed.

    Every method raises StorageFault where the store cannot be used.
    """

    @property
    @abstractmethod
    def place(self) -> str:
        """Where the files are, as an operator knows it; without secrets."""

    @abstractmethod
    def save(self, file_id: str, source: ReadableStream, sha256: str) -> None:
        """Store what `source` has from where it stands, for good when this returns. Raises FileSavedBefore,
        and leaves the first file as it is, where there is one of that id; DamagedFile, and stores nothing,
        where the bytes are not those of `sha256`."""

    @abstractmethod
    def open(
        self, file_id: str, start: int = 0, length: int | None = None
    ) -> AbstractContextManager[BinaryIO]:
        """The bytes, or `length` of them from `start` on, which nothing has verified. Raises
        FileNotFoundError."""

    @abstractmethod
    def stat(self, file_id: str) -> StoredBytes | None:
        """None where there is no file of that id."""

    @abstractmethod
    def delete(self, file_id: str) -> None:
        """Delete the file, if there is one."""

    @abstractmethod
    def list_files(self) -> Iterator[StoredBytes]:
        """All files, in no order; those that are saved or deleted meanwhile may be among them or not."""

    @abstractmethod
    def find_mark(self) -> str | None:
        """The random id that marks the store, however it is reached; None where it has none."""

    @abstractmethod
    def mark(self, value: str) -> str:
        """Mark a store that has no mark, and return the one that it has now: the first stays."""

    @abstractmethod
    def probe(self) -> None:
        """Write a marker and delete it. Raises StorageFault where files cannot be saved. May take as long as
        the store does."""

    def is_writable(self) -> bool:
        """Whether a file could be saved now, found out by writing one: a full or read-only disk has the same
        permissions as one that takes files."""
        try:
            self.probe()
        except StorageFault:
            return False
        return True

    def identify(self, *, may_mark: bool) -> str | None:
        """The mark of the store. One without is given a new one where that is allowed; else None."""
        return self.find_mark() or (self.mark(uuid4().hex) if may_mark else None)

    def read(self, file_id: str, sha256: str) -> bytes:
        """The whole file, verified. Raises FileNotFoundError, and DamagedFile where its bytes are others."""
        with self.open(file_id) as file:
            content = file.read()
        if hashlib.sha256(content).hexdigest() != sha256:
            raise DamagedFile(file_id, self.place)
        return content

    def verify(self, file_id: str, sha256: str) -> None:
        """Read the whole file. Raises FileNotFoundError, and DamagedFile where its bytes are others."""
        with self.open(file_id) as file:
            for _ in hash_pieces(file, file_id, sha256, self.place):
                pass

    @contextmanager
    def local_copy(self, file_id: str, sha256: str) -> Generator[Path]:
        """The whole file, verified, under a path of this host while the block lasts, for what reads no
        stream. Raises what `read` raises."""
        with NamedTemporaryFile(prefix="parley-") as copy:
            with self.open(file_id) as file:
                for piece in hash_pieces(file, file_id, sha256, self.place):
                    copy.write(piece)
            copy.flush()
            yield Path(copy.name)


def hash_pieces(source: ReadableStream, file_id: str, sha256: str, place: str) -> Iterator[bytes]:
    """The bytes piece by piece. Raises DamagedFile after the last one where they are not of `sha256`."""
    seen = hashlib.sha256()
    while piece := source.read(PIECE):
        seen.update(piece)
        yield piece
    if seen.hexdigest() != sha256:
        raise DamagedFile(file_id, place)


def as_stream(pieces: Iterator[bytes]) -> BinaryIO:
    """The pieces as one stream."""
    return cast(BinaryIO, io.BufferedReader(_Pieces(pieces), PIECE))


class _Pieces(io.RawIOBase):
    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._rest = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        while not self._rest:
            piece = next(self._pieces, None)
            if piece is None:
                return 0
            self._rest = memoryview(piece)
        taken = self._rest[: len(buffer)]
        buffer[: len(taken)] = taken
        self._rest = self._rest[len(taken) :]
        return len(taken)
