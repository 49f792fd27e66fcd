"""A request as a curl command without any secret."""

import json
import re
import shlex
from collections.abc import Mapping
from urllib.parse import urlsplit, urlunsplit

_SECRET = re.compile(r"authorization|cookie|token|secret|password|api[-_]?key|^x-.*-key$", re.IGNORECASE)
_SET_BY_CURL = frozenset({"host", "content-length", "connection", "accept-encoding", "transfer-encoding"})
HIDDEN = "***"


def is_secret(name: str) -> bool:
    """Return whether a header or parameter of this name may hold a credential."""
    return bool(_SECRET.search(name))


def format_curl(url: str, headers: Mapping[str, object], body: bytes) -> str:
    """Return a POST as a command; user info, secret headers and secret parameters are replaced by `***`."""
    parts = ["curl", "-X", "POST", shlex.quote(redact_url(url))]
    for name, value in headers.items():
        if name.lower() not in _SET_BY_CURL:
            shown = HIDDEN if is_secret(name) else str(value)
            parts += ["\\\n  -H", shlex.quote(f"{name}: {shown}")]
    parts += ["\\\n  --data-raw", shlex.quote(body.decode("utf-8", "replace"))]
    return " ".join(parts)


def redact_url(url: str) -> str:
    """Return `url` without user and password, with the values of secret parameters hidden."""
    split = urlsplit(url)
    pairs = [pair.partition("=") for pair in split.query.split("&") if pair]
    query = "&".join(f"{name}{eq}{HIDDEN if eq and is_secret(name) else value}" for name, eq, value in pairs)
    return urlunsplit((split.scheme, split.netloc.rpartition("@")[2], split.path, query, ""))


def encode_body(body: Mapping[str, object]) -> bytes:
    """Return the body as it was sent: JSON without spaces, in its own order, UTF-8."""
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()
