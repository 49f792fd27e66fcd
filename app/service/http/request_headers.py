"""The request headers that the service reads: their forms, and the address that a call comes from."""

from collections.abc import Sequence
from ipaddress import ip_address

from starlette.requests import Request

from app.outgoing.addresses import Address, Network

MAX_END_USER_LENGTH = 500
MAX_IP_LENGTH = 45

MAX_IDEMPOTENCY_KEY_LENGTH = 255
IDEMPOTENCY_KEY_PATTERN = "[!-~]([ -~]*[!-~])?"
"""Printable ASCII, as header values are; a server strips the spaces at both ends."""


def read_address(request: Request, trusted: Sequence[Network]) -> Address | None:
    """Return the address of the caller: the nearest of `X-Forwarded-For` that is no proxy to be `trusted`, as
    far as trusted proxies state it. None where there is none, as on a socket of the system."""
    stated = request.headers.get("x-forwarded-for", "").split(",")
    nearest = [request.client.host if request.client else "", *reversed(stated)]
    found = None
    for text in nearest:
        address = _parse(text)
        if address is None:
            break
        found = address
        if not any(address in network for network in trusted):
            break
    return found


def _parse(text: str) -> Address | None:
    try:
        address = ip_address(text.strip().partition("%")[0])
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address
