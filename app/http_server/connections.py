"""The open connections of one server process: how many there are, of whom, which ones only wait, and how much
of the server one caller may take before any application has seen its request.
"""

import asyncio
import sys
from dataclasses import dataclass, field
from ipaddress import IPv6Address, ip_address
from typing import Protocol

_MAX_CONNECTIONS = 4096
_OPEN_FILES_WITHOUT_LIMIT = 8192
"""Assumed where a system does not say how many files a process may open."""


@dataclass(frozen=True)
class ConnectionLimits:
    """Bounds of one server process. `connections_per_address` counts those of one IPv4 address or one IPv6
    network of 64 bits; a proxy is one address."""

    connections: int = _MAX_CONNECTIONS
    connections_per_address: int = _MAX_CONNECTIONS // 2
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
    connections = min(_MAX_CONNECTIONS, _raise_open_files() * 3 // 4)
    return ConnectionLimits(connections=connections, connections_per_address=connections // 2)


def _raise_open_files() -> int:
    if sys.platform == "win32":
        return _OPEN_FILES_WITHOUT_LIMIT
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 2 * _MAX_CONNECTIONS if hard == resource.RLIM_INFINITY else hard
    if soft != resource.RLIM_INFINITY and soft < wanted:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        except (ValueError, OSError):  # macOS names a hard limit that it does not grant
            return soft
        return wanted
    return wanted if soft == resource.RLIM_INFINITY else soft


class Connection(Protocol):
    """What the table needs to know of a connection."""

    address: "Address"

    def give_way(self) -> None:
        """Close, in favour of a new connection. Called only while no request is under way."""
        ...

    def check_deadline(self, now: float) -> None:
        """End what has taken too long."""
        ...


@dataclass(eq=False)
class Address:
    """One peer: how many connections it has, and those without a request, the longest waiting first."""

    name: str
    connections: int = 0
    waiting: dict[Connection, None] = field(default_factory=dict["Connection", None])


class ConnectionTable:
    """All connections of one process. When there is no place left, the connection that has waited longest for
    a request is closed: whoever opens many and sends nothing loses their own first."""

    def __init__(self, limits: ConnectionLimits) -> None:
        self.limits = limits
        self._addresses: dict[str, Address] = {}
        self._connections: set[Connection] = set()
        self._waiting: dict[Connection, None] = {}
        self._is_checking = False

    def find_address(self, host: str) -> Address:
        """The peer of that IP address, new ones included."""
        name = _network_of(host)
        return self._addresses.setdefault(name, Address(name))

    def add(self, connection: Connection, total: int) -> bool:
        """Count a new connection, for which another one may give way. False when there is no place for it.
        `total` is how many connections the server has, this one included."""
        if not self._is_checking:
            self._is_checking = True
            asyncio.get_running_loop().call_later(self.limits.check_seconds, self._check_deadlines)
        self._connections.add(connection)
        address = connection.address
        address.connections += 1
        if address.connections > self.limits.connections_per_address:
            waiting = address.waiting
        elif total > self.limits.connections:
            waiting = self._waiting
        else:
            return True
        oldest = next(iter(waiting), None)
        if oldest is not None:
            self.set_busy(oldest)
            oldest.give_way()
        return oldest is not None

    def remove(self, connection: Connection) -> None:
        """Forget a connection. Does nothing when it is forgotten already."""
        if connection not in self._connections:
            return
        self._connections.discard(connection)
        self.set_busy(connection)
        address = connection.address
        address.connections -= 1
        if not address.connections:
            self._addresses.pop(address.name, None)

    def set_waiting(self, connection: Connection) -> None:
        self._waiting[connection] = connection.address.waiting[connection] = None

    def set_busy(self, connection: Connection) -> None:
        """The connection has a request, or is closing."""
        self._waiting.pop(connection, None)
        connection.address.waiting.pop(connection, None)

    def _check_deadlines(self) -> None:
        loop = asyncio.get_running_loop()
        now = loop.time()
        for connection in list(self._connections):
            connection.check_deadline(now)
        self._is_checking = bool(self._connections)
        if self._is_checking:
            loop.call_later(self.limits.check_seconds, self._check_deadlines)


def _network_of(host: str) -> str:
    if ":" not in host:
        return host
    address = ip_address(host.partition("%")[0])
    if isinstance(address, IPv6Address) and address.ipv4_mapped is None:
        return str(int(address) >> 64)
    return str(getattr(address, "ipv4_mapped", address))
