"""The archive of a backup: one tar file, there whole or not at all, readable by its owner alone."""

import hashlib
import io
import os
import re
import tarfile
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast
from uuid import uuid4

from app.service.backup.encryption import DecryptingFile, EncryptingFile, is_encrypted
from app.service.backup.manifest import BackupFault, Manifest, Member, parse_manifest
from app.service.storage.file_storage import PIECE, ReadableStream
from app.service.storage.folder import sync_folder

MANIFEST = "manifest.json"
MANIFEST_DIGEST = "manifest.sha256"
"""The last entry: the SHA-256 of the manifest, which holds those of all others."""
FILES = "files/"
DATABASES = {"sqlite": "database.sqlite3", "postgresql": "database.dump"}
"""The entry of the database by its store."""
OWNER_ONLY = 0o600
_FILE_NAME = re.compile(r"files/[0-9A-Za-z-]{1,64}")


class ArchiveWriter:
    """Writes entries one after the other, and remembers size and SHA-256 of each."""

    def __init__(self, tar: tarfile.TarFile, at: float) -> None:
        self._tar = tar
        self._at = at
        self.members: list[Member] = []

    def add(self, name: str, source: ReadableStream, size: int) -> Member:
        """Add `size` bytes. Raises BackupFault where the source has fewer."""
        reader = _HashingReader(source)
        try:
            self._tar.addfile(self._head(name, size), reader)  # pyright: ignore[reportArgumentType]
        except OSError as error:
            if error.errno is None:  # of tarfile itself: there was less to read than was announced
                raise BackupFault(f"{name} ended early while it was copied: make the backup again") from None
            raise
        member = Member(name=name, size=size, sha256=reader.digest)
        self.members.append(member)
        return member

    def add_manifest(self, manifest: Manifest) -> None:
        content = manifest.model_dump_json(indent=1).encode()
        digest = hashlib.sha256(content).hexdigest().encode()
        for name, data in ((MANIFEST, content), (MANIFEST_DIGEST, digest)):
            self._tar.addfile(self._head(name, len(data)), io.BytesIO(data))

    def _head(self, name: str, size: int) -> tarfile.TarInfo:
        head = tarfile.TarInfo(name)
        head.size, head.mode, head.mtime = size, OWNER_ONLY, self._at
        return head


class _HashingReader:
    def __init__(self, source: ReadableStream) -> None:
        self._source = source
        self._seen = hashlib.sha256()

    def read(self, size: int = -1, /) -> bytes:
        piece = self._source.read(size)
        self._seen.update(piece)
        return piece

    @property
    def digest(self) -> str:
        return self._seen.hexdigest()


@contextmanager
def write_archive(target: Path, at: float, key: str | None) -> Generator[ArchiveWriter]:
    """An archive that gets its name once it is on the disk; an error leaves nothing of it. It is encrypted
    where there is a key. Raises BackupFault where there is a file of that name."""
    _require_new(target)
    partial = target.with_name(f"{target.name}.{uuid4().hex}.partial")
    try:
        descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY)
        with os.fdopen(descriptor, "wb") as file:
            content = file if key is None else EncryptingFile(file, key)
            with tarfile.open(fileobj=cast(BinaryIO, content), mode="w") as tar:
                yield ArchiveWriter(tar, at)
            if isinstance(content, EncryptingFile):
                content.finish()
            file.flush()
            os.fsync(file.fileno())
        _require_new(target)
        partial.replace(target)
        sync_folder(target.parent)
    finally:
        partial.unlink(missing_ok=True)


def _require_new(target: Path) -> None:
    if target.exists():
        raise BackupFault(f"{target} is there already, and a backup never replaces one: name another file")


class Archive:
    """A backup whose every byte was compared with its manifest."""

    def __init__(self, tar: tarfile.TarFile, manifest: Manifest) -> None:
        self._tar = tar
        self.manifest = manifest

    @contextmanager
    def open_database(self) -> Generator[BinaryIO]:
        with _open_entry(self._tar, DATABASES[self.manifest.store]) as file:
            yield file

    def files(self) -> Iterator[tuple[str, Member]]:
        """The id and entry of each uploaded file."""
        for member in self.manifest.members:
            if member.name.startswith(FILES):
                yield member.name.removeprefix(FILES), member

    @contextmanager
    def open_file(self, member: Member) -> Generator[BinaryIO]:
        with _open_entry(self._tar, member.name) as file:
            yield file


@contextmanager
def read_archive(path: Path, key: str | None = None) -> Generator[Archive]:
    """A backup, read through once and verified before anything is done with it. `key` is for one that is
    encrypted. Raises BackupFault."""
    with path.open("rb") as file:
        content = cast(
            BinaryIO, DecryptingFile(file, _require_key(path, key), str(path)) if is_encrypted(path) else file
        )
        content.seek(0)
        yield from _read_archive(path, content)


def _require_key(path: Path, key: str | None) -> str:
    if key is None:
        raise BackupFault(f"{path} is encrypted: set PARLEY_BACKUP_KEY to the key that it was made with")
    return key


def _read_archive(path: Path, content: BinaryIO) -> Iterator[Archive]:
    try:
        tar = tarfile.open(fileobj=content, mode="r:")  # noqa: SIM115 (closed below)
    except tarfile.TarError:
        raise BackupFault(f"{path} is no backup: it is not a tar archive") from None
    with tar:
        try:
            names = _entry_names(tar, path)
            manifest = _verified_manifest(tar, names, path)
            _verify_members(tar, names, manifest)
        except (tarfile.TarError, EOFError):
            raise BackupFault(f"{path} is cut off or damaged: take another backup") from None
        yield Archive(tar, manifest)


def _entry_names(tar: tarfile.TarFile, path: Path) -> set[str]:
    names: set[str] = set()
    known = {MANIFEST, MANIFEST_DIGEST, *DATABASES.values()}
    for head in tar:
        if not head.isreg() or (head.name not in known and not _FILE_NAME.fullmatch(head.name)):
            raise BackupFault(f"{path} has an entry {head.name!r}, which no backup has: it is not restored")
        if head.name in names:
            raise BackupFault(f"{path} has two entries {head.name!r}: it is not restored")
        names.add(head.name)
    return names


def _verified_manifest(tar: tarfile.TarFile, names: set[str], path: Path) -> Manifest:
    if not {MANIFEST, MANIFEST_DIGEST} <= names:
        raise BackupFault(f"{path} is cut off, damaged or no backup: it has no manifest at its end")
    with _open_entry(tar, MANIFEST) as file:
        content = file.read()
    with _open_entry(tar, MANIFEST_DIGEST) as file:
        if file.read() != hashlib.sha256(content).hexdigest().encode():
            raise BackupFault(f"{path} is damaged: its manifest is not the one that was written")
    return parse_manifest(content)


def _verify_members(tar: tarfile.TarFile, names: set[str], manifest: Manifest) -> None:
    stated = {member.name for member in manifest.members}
    if DATABASES.get(manifest.store) not in stated or stated != names - {MANIFEST, MANIFEST_DIGEST}:
        raise BackupFault("the archive does not hold what its manifest says: take another backup")
    for member in manifest.members:
        seen = hashlib.sha256()
        size = 0
        with _open_entry(tar, member.name) as file:
            while piece := file.read(PIECE):
                seen.update(piece)
                size += len(piece)
        if size != member.size or seen.hexdigest() != member.sha256:
            raise BackupFault(f"{member.name} in the archive is damaged: take another backup")


@contextmanager
def _open_entry(tar: tarfile.TarFile, name: str) -> Generator[BinaryIO]:
    file = tar.extractfile(name)
    if file is None:
        raise BackupFault(f"{name} in the archive is no file")
    with file:
        yield file  # pyright: ignore[reportReturnType]
