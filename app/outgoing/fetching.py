"""Fetch a file from a foreign address: the document of a scope, or the icon of a company."""

import asyncio
import re
from collections.abc import Sequence
from urllib.parse import unquote

import aiohttp
from yarl import URL

from app.outgoing.addresses import Network
from app.outgoing.guarded_connections import RefusedAddress, find_status, guarded_session

MAX_REDIRECTS = 5
CHUNK = 64 * 1024


class UnfetchableAddress(Exception):
    """A file could not be fetched; the text can be shown to the caller."""


def fetch_guarded(
    url: str, *, limit_bytes: int, timeout: float, allow: Sequence[Network]
) -> tuple[bytes, str, str]:
    """Fetch a file from a foreign address; return its bytes, its content type as declared, and a file name.
    The call blocks. Redirects are followed, and their addresses are checked too.

    Raises UnfetchableAddress where the file does not come within `timeout` seconds, or is larger than
    `limit_bytes`.
    """
    try:
        return asyncio.run(_fetch(URL(url), limit_bytes, timeout, allow))
    except TimeoutError:
        raise UnfetchableAddress(f"No answer within {timeout:g} seconds.") from None
    except aiohttp.TooManyRedirects:
        raise UnfetchableAddress(f"More than {MAX_REDIRECTS} redirects.") from None
    except aiohttp.ClientConnectorError as error:
        if isinstance(error.os_error, RefusedAddress):
            raise UnfetchableAddress(
                f"The host is at {error.os_error.reason}, which is not called."
            ) from None
        raise UnfetchableAddress("The host cannot be reached.") from None
    except aiohttp.ClientResponseError as error:
        status = find_status(error)
        if status is None or status < 300:
            raise UnfetchableAddress("The host's answer is not valid HTTP.") from None
        raise UnfetchableAddress(f"The host answered {status}.") from None
    except (aiohttp.ClientError, OSError):
        raise UnfetchableAddress("The file cannot be fetched from this address.") from None
    except ValueError:
        raise UnfetchableAddress("The address is not a valid URL.") from None


async def _fetch(
    url: URL, limit_bytes: int, seconds: float, allow: Sequence[Network]
) -> tuple[bytes, str, str]:
    if url.scheme not in {"http", "https"} or not url.host or url.user is not None:
        raise UnfetchableAddress("Only http and https addresses without user information are fetched.")
    async with (
        guarded_session(allow, timeout=seconds) as session,
        # The library gives up at the last of its redirects, without following it.
        session.get(url, max_redirects=MAX_REDIRECTS + 1, headers={"Accept-Encoding": "identity"}) as answer,
    ):
        if not 200 <= answer.status < 300:
            raise UnfetchableAddress(f"The host answered {answer.status}.")
        content = bytearray()
        # The bytes are counted as they come, because a declared length may be wrong.
        async for chunk in answer.content.iter_chunked(CHUNK):
            content += chunk
            if len(content) > limit_bytes:
                raise UnfetchableAddress(f"The file is larger than {limit_bytes} bytes.")
        return bytes(content), answer.content_type, _file_name(answer)


def _file_name(answer: aiohttp.ClientResponse) -> str:
    disposition = answer.content_disposition
    given = disposition.filename if disposition is not None else None
    name = given or unquote(answer.url.raw_path.rpartition("/")[2])
    return re.sub(r"[\x00-\x1f\x7f/\\\ud800-\udfff]", "_", name).strip(". ")[:200] or "document"
