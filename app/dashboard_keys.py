"""The keys of the dashboards of a deployment, and the address of a browser as a dashboard states it to the
service: sealed with them, so that no caller can state another one."""

import base64
import hmac
import json
import os
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from ipaddress import IPv6Address, ip_address
from pathlib import Path

from cryptography.fernet import Fernet, InvalidToken, MultiFernet

from app.settings import Settings

STATEMENT_SECONDS = 60
"""How long a stated address holds."""
_MOST_ADDRESS = 100


def read_dashboard_keys(settings: Settings) -> list[bytes]:
    """Return those of `PARLEY_SECRET_KEY`, else one that is made once in the data folder, readable by its
    owner only."""
    if settings.secret_keys:
        return [key.encode() for key in settings.secret_keys]
    file = Path(settings.data_dir) / "dashboard.key"
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        # Linked into place from a temporary file: two dashboards that start at once read the same key.
        with tempfile.NamedTemporaryFile(dir=file.parent, prefix=".dashboard-key-") as temporary:
            temporary.write(Fernet.generate_key())
            temporary.flush()
            with suppress(FileExistsError):
                os.link(temporary.name, file)
    return [file.read_bytes()]


def derive_fernet(keys: Sequence[bytes], purpose: bytes) -> MultiFernet:
    """Return what seals for one purpose with the first of the keys, and opens what any of them sealed."""
    derived = [hmac.digest(key, purpose, "sha256") for key in keys]
    return MultiFernet([Fernet(base64.urlsafe_b64encode(key)) for key in derived])


def seal_address(keys: Sequence[bytes], address: str) -> str:
    """Return the address of a browser as a dashboard states it."""
    return _addresses(keys).encrypt(json.dumps(address[:_MOST_ADDRESS]).encode()).decode()


def open_address(keys: Sequence[bytes], sealed: str) -> str | None:
    """Return the address that a dashboard with one of the keys stated in the past minute: of IPv6 the network
    of 64 bits, as one browser may have all addresses in it. None for anything else."""
    try:
        text = json.loads(_addresses(keys).decrypt(sealed.encode(), ttl=STATEMENT_SECONDS))
    except (InvalidToken, ValueError):
        return None
    return group_address(text)


def group_address(text: str) -> str:
    """Return an address as it is counted: of IPv6 the network of 64 bits."""
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return text
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return f"{IPv6Address(int(address) >> 64 << 64)}/64"
    return str(address)


def _addresses(keys: Sequence[bytes]) -> MultiFernet:
    return derive_fernet(keys, b"browser address")
