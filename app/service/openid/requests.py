"""Requests to the identity provider, each bounded in time and bytes. Redirects are not followed."""

import json
import ssl
import time
from collections.abc import Mapping
from functools import cache
from typing import Any, cast

import httpx

from app.storable_text import make_json_storable

CONNECT_SECONDS = 5.0
WHOLE_SECONDS = 10.0
MAX_BYTES = 512 * 1024


class ProviderUnavailable(Exception):
    """The identity provider gave no answer that can be used. The text is a sentence for the person who signs
    in; it names the host and no secret."""


class ProviderRefusal(Exception):
    """The identity provider refused a request; the text is its error code."""


def get_json(url: str) -> dict[str, Any]:
    """Return the JSON object at `url`. Raises ProviderUnavailable."""
    status, content = _send("GET", url)
    if status != 200 or content is None:
        raise ProviderUnavailable(f"{_describe(url)} answered {status} instead of its configuration.")
    return content


def post_form(url: str, form: Mapping[str, str], basic: tuple[str, str] | None = None) -> dict[str, Any]:
    """Send a form, with a user and a password where `basic` has them. Raises ProviderRefusal for an error of
    OAuth, else ProviderUnavailable."""
    status, content = _send("POST", url, form, basic)
    error = None if content is None else content.get("error")
    if 400 <= status < 500 and isinstance(error, str):
        raise ProviderRefusal(error[:100])
    if status != 200 or content is None:
        raise ProviderUnavailable(f"{_describe(url)} answered {status} instead of a token.")
    return content


def _send(
    method: str, url: str, form: Mapping[str, str] | None = None, basic: tuple[str, str] | None = None
) -> tuple[int, dict[str, Any] | None]:
    """The status and the JSON object of the answer, None where it is none."""
    end = time.monotonic() + WHOLE_SECONDS
    try:
        with (
            httpx.Client(
                timeout=CONNECT_SECONDS, follow_redirects=False, verify=_trusted_authorities()
            ) as client,
            client.stream(
                method,
                url,
                data=dict(form) if form else None,
                auth=basic,
                headers={"Accept": "application/json"},
            ) as answer,
        ):
            body = bytearray()
            for chunk in answer.iter_bytes():
                body += chunk
                if len(body) > MAX_BYTES:
                    raise ProviderUnavailable(f"{_describe(url)} sent more than {MAX_BYTES // 1024} KiB.")
                if time.monotonic() > end:
                    raise ProviderUnavailable(f"{_describe(url)} did not answer within {WHOLE_SECONDS:g} s.")
            return answer.status_code, _parse(bytes(body))
    except httpx.TimeoutException:
        raise ProviderUnavailable(f"{_describe(url)} did not answer in time.") from None
    except (httpx.HTTPError, httpx.InvalidURL):
        raise ProviderUnavailable(f"{_describe(url)} cannot be reached.") from None


@cache
def _trusted_authorities() -> ssl.SSLContext:
    """The system's certificates, read once in a process because reading them takes longer than a call."""
    return httpx.create_ssl_context()


def _parse(body: bytes) -> dict[str, Any] | None:
    try:
        content: object = make_json_storable(json.loads(body))
    except (ValueError, RecursionError):
        return None
    return cast(dict[str, Any], content) if isinstance(content, dict) else None


def _describe(url: str) -> str:
    return f"The identity provider at {httpx.URL(url).host}"
