"""The base address of a deployment: where `/v1` lies, as clients, commands and settings name it."""

from urllib.parse import urlsplit


def parse_base_url(text: str) -> str:
    """Parse a base address; it loses a slash and one `/v1` at its end, as people copy it from other APIs.

    ValueError unless it is an http(s) address without credentials, query and fragment.
    """
    parts = urlsplit(text.strip())
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("the base address must be like https://parley.example.com")
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise ValueError("the base address must hold no credentials, query or fragment")
    path = parts.path.rstrip("/").removesuffix("/v1").rstrip("/")
    return f"{parts.scheme}://{parts.netloc}{path}"
