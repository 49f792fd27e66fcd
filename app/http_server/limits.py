"""How much of a server one caller may take before any application has seen its request."""

import sys
from dataclasses import dataclass

MAX_CONNECTIONS = 4096
OPEN_FILES_WITHOUT_LIMIT = 8192
"""Assumed where a system does not say how many files a process may open."""


@dataclass(frozen=True)
class ConnectionLimits:
    """Bounds of one server process. `connections_per_address` counts those of one IPv4 address or one IPv6
    network of 64 bits; a proxy is one address."""

    connections: int = MAX_CONNECTIONS
    connections_per_address: int = MAX_CONNECTIONS // 2
    head_bytes: int = 64 * 1024
    headers: int = 100
    head_seconds: float = 15.0
    """From the first byte of a request, or from the start of a connection, to the end of the head."""
    body_seconds: float = 20.0
    """A body must end within this time, or `body_bytes` of it must arrive in each such span."""
    body_bytes: int = 20 * 1024
    idle_seconds: float = 75.0
    """Between two requests on one connection."""
    write_seconds: float = 60.0
    """The longest that a caller may leave an answer unread."""
    discard_seconds: float = 30.0
    """How long the rest of a body is read and thrown away after the answer. A connection that is closed with
    data unread is reset, and the caller loses the answer."""
    check_seconds: float = 1.0
    """How often the times above are looked at."""
    pipelined_requests: int = 16
    """How many requests may wait on one connection for the answers of earlier ones."""


def raise_open_file_limit() -> ConnectionLimits:
    """Let this process open as many files as the system permits, and return limits that leave a quarter of
    them to everything that is no connection. No address may take more than half of the connections."""
    connections = min(MAX_CONNECTIONS, _raise_open_files() * 3 // 4)
    return ConnectionLimits(connections=connections, connections_per_address=connections // 2)


def _raise_open_files() -> int:
    if sys.platform == "win32":
        return OPEN_FILES_WITHOUT_LIMIT
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 2 * MAX_CONNECTIONS if hard == resource.RLIM_INFINITY else hard
    if soft != resource.RLIM_INFINITY and soft < wanted:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        except (ValueError, OSError):  # macOS names a hard limit that it does not grant
            return soft
        return wanted
    return wanted if soft == resource.RLIM_INFINITY else soft
