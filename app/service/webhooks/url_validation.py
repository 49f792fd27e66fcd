"""Which address a webhook can be registered with. Pure: whether it may be called shows when connecting."""

import re
from ipaddress import IPv4Address

from yarl import URL

_UNPRINTABLE = re.compile(r"[\x00-\x20\x7f\\]")
_NUMBER = re.compile(r"(.*\.)?([0-9]+|0x[0-9a-f]*)\.?", re.IGNORECASE)
"""A host that ends in a number is an IPv4 address however it is spelled (WHATWG URL, 3.5)."""


def find_url_fault(url: str) -> str | None:
    """What can never be right with the address of a webhook, or None. A private address passes: a deployment
    may allow its range, and the guard refuses it at each attempt otherwise."""
    if _UNPRINTABLE.search(url):
        return "must not hold spaces, control characters or backslashes"
    try:
        parsed = URL(url)
        host, port = parsed.host, parsed.port
    except ValueError:
        return "must be a valid URL"
    if parsed.scheme not in {"http", "https"}:
        return "must start with http:// or https://"
    if not host:
        return "must name a host"
    if _NUMBER.fullmatch(host) and not _is_usual(host):
        return "must spell an address in the usual way, such as 93.184.216.34"
    if parsed.raw_user is not None or parsed.raw_password is not None or "@" in parsed.raw_authority:
        return "must not hold a user name or a password"
    if port == 0:
        return "must name a port from 1 to 65535"
    return None


def _is_usual(host: str) -> bool:
    try:
        return str(IPv4Address(host)) == host
    except ValueError:
        return False
