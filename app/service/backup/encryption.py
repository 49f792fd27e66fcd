"""Backups that nobody reads without their key: AES-256-GCM in pieces, so that an archive of any size is never
whole in memory, and no piece can be changed, left out, moved or cut off unseen."""

import io
import os
import struct
from base64 import urlsafe_b64decode
from pathlib import Path
from typing import Any, BinaryIO

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from app.service.backup.manifest import BackupFault

MAGIC = b"parley backup 1\n"
SALT_BYTES = 16
PIECE = 64 * 1024
SEALED_PIECE = PIECE + 16
_HEAD = len(MAGIC) + SALT_BYTES
ADVICE = "make one with: openssl rand -base64 32 | tr '+/' '-_', and keep it where the backups are not"


def derive_key(text: str, salt: bytes) -> AESGCM:
    """Return what seals one archive with a key as `PARLEY_BACKUP_KEY` has it. Raises BackupFault."""
    try:
        key = urlsafe_b64decode(text)
    except ValueError:
        key = b""
    if len(key) != 32:
        raise BackupFault(f"PARLEY_BACKUP_KEY is no key of 32 bytes in Base64: {ADVICE}")
    return AESGCM(HKDF(SHA256(), 32, salt, b"parley backup").derive(key))


def is_encrypted(path: Path) -> bool:
    """Whether a file is an encrypted backup."""
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def _nonce(number: int, *, is_last: bool) -> bytes:
    return struct.pack(">xxxQ?", number, is_last)


class EncryptingFile(io.RawIOBase):
    """Takes what is written and writes it sealed; `finish` writes the last piece."""

    def __init__(self, target: BinaryIO, key: str) -> None:
        salt = os.urandom(SALT_BYTES)
        self._cipher = derive_key(key, salt)
        self._target = target
        self._waiting = bytearray()
        self._pieces = self._size = 0
        target.write(MAGIC + salt)

    def writable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._size

    def write(self, data: Any, /) -> int:  # bytes, or what gives them
        content = bytes(data)
        self._waiting += content
        self._size += len(content)
        while len(self._waiting) > PIECE:  # a whole piece stays, which may be the last
            self._write_piece(bytes(self._waiting[:PIECE]), is_last=False)
            del self._waiting[:PIECE]
        return len(content)

    def finish(self) -> None:
        self._write_piece(bytes(self._waiting), is_last=True)

    def _write_piece(self, content: bytes, *, is_last: bool) -> None:
        self._target.write(self._cipher.encrypt(_nonce(self._pieces, is_last=is_last), content, None))
        self._pieces += 1


class DecryptingFile(io.RawIOBase):
    """Reads an encrypted archive at any place. Raises BackupFault where the key is another one, or the file
    was changed."""

    def __init__(self, source: BinaryIO, key: str, name: str) -> None:
        self._source = source
        self._name = name
        source.seek(len(MAGIC))
        self._cipher = derive_key(key, source.read(SALT_BYTES))
        sealed = source.seek(0, os.SEEK_END) - _HEAD
        self._last = max(0, (sealed - 1) // SEALED_PIECE)
        self._size = max(0, sealed - 16 * (self._last + 1))
        self._place = 0
        self._piece: tuple[int, bytes] = (-1, b"")
        self._read_piece(self._last)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET, /) -> int:
        start = {os.SEEK_SET: 0, os.SEEK_CUR: self._place, os.SEEK_END: self._size}[whence]
        self._place = max(0, start + offset)
        return self._place

    def tell(self) -> int:
        return self._place

    def read(self, size: int | None = -1, /) -> bytes:
        end = self._size if size is None or size < 0 else min(self._size, self._place + size)
        parts: list[bytes] = []
        while self._place < end:
            number, start = divmod(self._place, PIECE)
            part = self._read_piece(number)[start : start + end - self._place]
            parts.append(part)
            self._place += len(part)
        return b"".join(parts)

    def _read_piece(self, number: int) -> bytes:
        if self._piece[0] != number:
            self._source.seek(_HEAD + number * SEALED_PIECE)
            sealed = self._source.read(SEALED_PIECE)
            try:
                nonce = _nonce(number, is_last=number == self._last)
                self._piece = number, self._cipher.decrypt(nonce, sealed, None)
            except InvalidTag:
                raise BackupFault(
                    f"{self._name} cannot be read: PARLEY_BACKUP_KEY is not the key that it was made with, or"
                    " it was changed or cut off"
                ) from None
        return self._piece[1]
