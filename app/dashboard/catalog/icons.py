"""Icons of companies and products, fetched for the browser instead of by it.

The address of an icon comes from the catalog, so it is foreign: the browser's policy loads nothing foreign,
and the server asks public addresses only, decided after the name is resolved and for each redirect. What
comes back is drawn anew as a small PNG, so that no byte of it reaches the browser.
"""

import base64
import io
import ipaddress
import socket
import ssl
import time
import warnings
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from http.client import HTTPConnection, HTTPException, HTTPResponse
from threading import Lock
from urllib.parse import SplitResult, urljoin, urlsplit

from PIL import Image, UnidentifiedImageError

Ip = ipaddress.IPv4Address | ipaddress.IPv6Address
AddressCheck = Callable[[Ip], bool]

ICON_PIXELS = 64
MAX_BYTES = 512 * 1024
MAX_PIXELS = 4_000_000
MAX_REDIRECTS = 3
TIMEOUT_SECONDS = 4.0
FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "ICO", "BMP")
_NAT64_NETWORK = ipaddress.IPv6Network("64:ff9b::/96")


def is_public(ip: Ip) -> bool:
    """Whether `ip` is an address of the internet; one that carries another (mapped, 6to4, NAT64) is judged by
    what it carries."""
    if isinstance(ip, ipaddress.IPv6Address):
        carried = ip.ipv4_mapped or ip.sixtofour
        if ip in _NAT64_NETWORK:
            carried = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
        if carried is not None:
            return is_public(carried)
    return ip.is_global and not ip.is_multicast


def fetch_image(url: str, permitted: AddressCheck = is_public) -> bytes | None:
    """The body at `url`, redirects followed; None for whatever is not a small answer from a permitted
    address within `SECONDS`."""
    end = time.monotonic() + TIMEOUT_SECONDS
    for _ in range(MAX_REDIRECTS + 1):
        try:
            parts = urlsplit(url)
            if parts.scheme not in {"http", "https"} or not parts.hostname or parts.username is not None:
                return None
            answer, body = _request(parts, permitted, end)
        except (OSError, HTTPException, ValueError):
            return None
        if answer.status in {301, 302, 303, 307, 308} and answer.headers["Location"]:
            url = urljoin(url, answer.headers["Location"])
            continue
        return body if answer.status == 200 and len(body) <= MAX_BYTES else None
    return None


def _request(parts: SplitResult, permitted: AddressCheck, end: float) -> tuple[HTTPResponse, bytes]:
    host = parts.hostname or ""
    port = parts.port or (443 if parts.scheme == "https" else 80)
    # The address that was judged is the one that is connected to: a second look-up could answer otherwise.
    resolved = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][4][0]
    if not permitted(ipaddress.ip_address(str(resolved).partition("%")[0])):
        raise PermissionError(f"{host} is no public address")
    connection = HTTPConnection(host, port, timeout=TIMEOUT_SECONDS)
    connection.sock = socket.create_connection(
        (str(resolved), port), timeout=max(0.1, end - time.monotonic())
    )
    try:
        if parts.scheme == "https":
            connection.sock = ssl.create_default_context().wrap_socket(connection.sock, server_hostname=host)
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection.request("GET", path, headers={"Accept": "image/*", "User-Agent": "Parley"})
        answer = connection.getresponse()
        return answer, _read_body(answer, end)
    finally:
        connection.close()


def _read_body(answer: HTTPResponse, end: float) -> bytes:
    body = bytearray()
    while len(body) <= MAX_BYTES and (part := answer.read1(65536)):
        body += part
        if time.monotonic() > end:
            raise TimeoutError
    return bytes(body)


def redraw_as_png(content: bytes) -> bytes | None:
    """An image as a PNG of at most `SIDE` pixels a side; None for what is no image, or a huge one."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(io.BytesIO(content), formats=FORMATS) as image:
                if image.width * image.height > MAX_PIXELS:
                    return None
                small = image.convert("RGBA")
        small.thumbnail((ICON_PIXELS, ICON_PIXELS))
        out = io.BytesIO()
        small.save(out, "PNG")
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None
    return out.getvalue()


class IconCache:
    """Icons as data URIs. A page waits a moment for one, then goes on without; it is there the next time."""

    def __init__(
        self, permitted: AddressCheck = is_public, entries: int = 1000, patience: float = 0.6
    ) -> None:
        self._permitted = permitted
        self._entries = entries
        self._patience = patience
        self._threads = ThreadPoolExecutor(4, thread_name_prefix="icons")
        self._known: OrderedDict[str, Future[str | None]] = OrderedDict()
        self._lock = Lock()

    def get(self, url: str | None) -> str | None:
        """The icon at `url` as a data URI; None where there is none, or not yet."""
        if not url:
            return None
        with self._lock:
            future = self._known.get(url)
            patience = 0.0 if future else self._patience
            if future is None:
                future = self._known[url] = self._threads.submit(self._made, url)
                if len(self._known) > self._entries:
                    self._known.popitem(last=False)
        try:
            return future.result(patience)
        except NotYet:
            return None

    def _made(self, url: str) -> str | None:
        content = fetch_image(url, self._permitted)
        drawn = redraw_as_png(content) if content else None
        return f"data:image/png;base64,{base64.b64encode(drawn).decode()}" if drawn else None


icon_cache = IconCache()
"""Of this process: icons are the same for everybody."""
