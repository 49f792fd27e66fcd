"""Encryption at rest for what must not be read from a copy of the database (Fernet: AES-CBC with HMAC)."""

import hmac
import os
from collections.abc import Sequence
from pathlib import Path

from cryptography.fernet import Fernet, InvalidToken, MultiFernet

__all__ = ["InvalidToken", "Vault", "kept_key", "open_vault"]


class Vault:
    """Seals small values with the newest of the deployment's keys, and opens those of any. Keys are named
    newest first."""

    def __init__(self, *keys: str | bytes) -> None:
        self._keys = [key.encode() if isinstance(key, str) else key for key in keys]
        self._newest = Fernet(self._keys[0])
        self._any = MultiFernet([Fernet(key) for key in self._keys])

    def __repr__(self) -> str:
        return "Vault(…)"

    def fingerprints(self) -> list[str]:
        """Tell keys apart and say nothing about them; the newest first."""
        return [hmac.new(key, b"parley secret key", "sha256").hexdigest() for key in self._keys]

    def seal(self, plain: bytes) -> bytes:
        return self._newest.encrypt(plain)

    def open(self, sealed: bytes) -> bytes:
        """Raises InvalidToken when the value was sealed with another key."""
        return self._any.decrypt(sealed)

    def seal_anew(self, sealed: bytes) -> bytes:
        """Return the value sealed with the newest key: itself where it is already. Raises InvalidToken."""
        try:
            self._newest.decrypt(sealed)
        except InvalidToken:
            return self._any.rotate(sealed)
        return sealed


def open_vault(keys: Sequence[str], data_dir: Path) -> Vault:
    """The vault of the given keys, else of the key kept in the data folder, which is made at first use."""
    if keys:
        return Vault(*keys)
    path = _key_file(data_dir)
    data_dir.mkdir(parents=True, exist_ok=True)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return Vault(path.read_bytes())
    made = Fernet.generate_key()
    with os.fdopen(descriptor, "wb") as file:
        file.write(made)
    return Vault(made)


def kept_key(data_dir: Path) -> str | None:
    """The key that was made in the data folder; None where none was."""
    path = _key_file(data_dir)
    return path.read_text().strip() if path.exists() else None


def _key_file(data_dir: Path) -> Path:
    return data_dir / "secret.key"
