"""Pages of other origins that may read what a server answers (CORS, in the Fetch standard)."""

import re
from collections.abc import Collection

ANY_ORIGIN = "*"

_ORIGIN = re.compile(r"([a-z][a-z0-9+.-]*)://(?:[a-z0-9_.-]+|\[[0-9a-f:.]+\])(?::([1-9][0-9]{0,4}))?")
_DEFAULT_PORTS = {("http", "80"), ("https", "443")}


def is_origin(text: str) -> bool:
    """Return whether it is an origin in the form in which browsers send it, or `*`."""
    parts = _ORIGIN.fullmatch(text)
    return text == ANY_ORIGIN or (parts is not None and parts.groups() not in _DEFAULT_PORTS)


def cross_origin_headers(origins: Collection[str], origin: str | None) -> dict[str, str]:
    """The headers of an answer to a page of `origin`, None where none is named; empty where pages of it may
    not read the answer. Callers send keys of their own accord, so browsers need not add credentials."""
    if ANY_ORIGIN in origins:
        allowed = ANY_ORIGIN
    elif origin is not None and origin in origins:
        allowed = origin
    else:
        return {}
    return {"access-control-allow-origin": allowed, "access-control-expose-headers": "*", "vary": "Origin"}
