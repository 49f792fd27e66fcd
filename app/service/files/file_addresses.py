"""The addresses of uploaded files, under every name that reaches the service."""

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from ipaddress import ip_address
from urllib.parse import SplitResult, unquote, urlsplit

from app.contract.values import UUID
from app.service.http.problems import bad_request

_FILE_PATH = re.compile(rf"/v1/files/({UUID.pattern})/?", re.IGNORECASE)
_DEFAULT_PORTS = {80, 443}
_OWN_HOST = "localhost"
_OWN_ADDRESSES = {ip_address("127.0.0.1"), ip_address("::1"), ip_address("::ffff:127.0.0.1")}


def read_file_address(address: str, own_addresses: Iterable[str], pointer: str) -> str | None:
    """The id of the uploaded file at `address`, which is a path of this service or below one of its own
    addresses; None for a foreign address. Raises ApiProblem 400 for what is no address, and for one of this
    service that is no file: it is never fetched."""
    try:
        parts = urlsplit(address)
        is_path = not parts.scheme and not parts.netloc and address.startswith("/")
        is_absolute = parts.scheme.lower() in {"http", "https"} and parts.hostname and parts.port != 0
    except ValueError:
        raise bad_request(pointer, "must be an address") from None
    if not (is_path or is_absolute) or not address.isprintable() or " " in address:
        raise bad_request(pointer, "must be an http or https address, or the path /v1/files/{fileId}")
    if parts.username is not None or parts.password is not None:
        raise bad_request(pointer, "must not hold a user name or password")
    own = [(_host_of(one), one.path.rstrip("/")) for one in _split(own_addresses)]
    prefixes = [prefix for host, prefix in own if is_path or host == _host_of(parts)]
    path = unquote(parts.path)
    for prefix in {"", *prefixes} if prefixes else ():
        found = _FILE_PATH.fullmatch(path.removeprefix(prefix))
        if found is not None:
            return found.group(1).lower()
    if any(path.startswith(f"{prefix}/") for prefix in prefixes):
        raise bad_request(pointer, "is an address of this service and none of a file: /v1/files/{fileId}")
    return None


def _split(addresses: Iterable[str]) -> Iterator[SplitResult]:
    """The parts of addresses; the Host of a call may make one that is none."""
    for address in addresses:
        with suppress(ValueError):
            parts = urlsplit(address)
            if parts.port != 0:
                yield parts


def _host_of(parts: SplitResult) -> tuple[str, int | None]:
    """Host and port; the usual ports are one, since a proxy in front may take TLS off, and so are the three
    names that a host has for itself."""
    port = None if parts.port in _DEFAULT_PORTS else parts.port
    host = (parts.hostname or "").rstrip(".")
    with suppress(ValueError):
        if ip_address(host) in _OWN_ADDRESSES:
            host = _OWN_HOST
    return host, port
