"""Encryption at rest for what must not be read from a copy of the database (Fernet: AES-CBC with HMAC)."""

import hmac
import os
from pathlib import Path

from cryptography.fernet import Fernet, InvalidToken

__all__ = ["InvalidToken", "Vault", "open_vault"]


class Vault:
    """Seals and opens small values with the deployment's key."""

    def __init__(self, key: str | bytes) -> None:
        self._fernet = Fernet(key)
        self._key = key.encode() if isinstance(key, str) else key

    def __repr__(self) -> str:
        return "Vault(…)"

    def fingerprint(self) -> str:
        """Tells keys apart and says nothing about them."""
        return hmac.new(self._key, b"parley secret key", "sha256").hexdigest()

    def seal(self, plain: bytes) -> bytes:
        return self._fernet.encrypt(plain)

    def open(self, sealed: bytes) -> bytes:
        """Raises InvalidToken when the value was sealed with another key."""
        return self._fernet.decrypt(sealed)


def open_vault(key: str | None, data_dir: Path) -> Vault:
    """The vault of a given key, else of the key kept in the data folder, which is made at first use."""
    if key is not None:
        return Vault(key)
    path = data_dir / "secret.key"
    data_dir.mkdir(parents=True, exist_ok=True)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return Vault(path.read_bytes())
    made = Fernet.generate_key()
    with os.fdopen(descriptor, "wb") as file:
        file.write(made)
    return Vault(made)
