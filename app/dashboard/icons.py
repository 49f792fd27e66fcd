"""Icons of companies and products, fetched for the browser instead of by it.

The address of an icon comes from the catalog, so it is foreign: the browser's policy loads nothing foreign,
and the server asks permitted addresses only. What comes back is drawn anew as a small PNG, so that no byte of
it reaches the browser.
"""

import base64
import io
import warnings
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from functools import cache
from threading import Lock

from PIL import Image, UnidentifiedImageError

from app.dashboard.server import configuration
from app.outgoing.addresses import Network
from app.outgoing.fetching import UnfetchableAddress, fetch_guarded

ICON_PIXELS = 64
MAX_BYTES = 512 * 1024
MAX_PIXELS = 4_000_000
TIMEOUT_SECONDS = 4.0
FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "ICO", "BMP")


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

    def __init__(self, allow: Sequence[Network] = (), entries: int = 1000, patience: float = 0.6) -> None:
        self._allow = allow
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
                future = self._known[url] = self._threads.submit(self._load, url)
                if len(self._known) > self._entries:
                    self._known.popitem(last=False)
        try:
            return future.result(patience)
        except NotYet:
            return None

    def _load(self, url: str) -> str | None:
        try:
            content, *_ = fetch_guarded(
                url, limit_bytes=MAX_BYTES, timeout=TIMEOUT_SECONDS, allow=self._allow
            )
        except UnfetchableAddress:
            return None
        png = redraw_as_png(content)
        return f"data:image/png;base64,{base64.b64encode(png).decode()}" if png else None


@cache
def icon_cache() -> IconCache:
    """The icons of this process: they are the same for everybody."""
    return IconCache(configuration.get_settings().fetch_allow)
