"""One call of a service that is compatible with OpenAI's chat completions."""

import asyncio
from collections.abc import Sequence

from yarl import URL

from app.contract.version import VERSION
from app.outgoing.addresses import Network
from app.outgoing.guarded_connections import guarded_session
from app.service.webhooks.sending import interpret_failure

TIMEOUT_SECONDS = 60.0
"""For the whole call: look-up, connection, answer and its body."""
LARGEST_ANSWER = 512 * 1024
"""Bytes of an answer."""


class FailedCall(Exception):
    """There is no answer; the text is a sentence that can be shown."""


def call_service(
    address: str, key: str | None, body: bytes, *, allow: Sequence[Network], timeout: float
) -> bytes:
    """Post a request to `{address}/chat/completions` and return the answer. The call blocks. No redirect is
    followed. Raises FailedCall, also where the address may not be called."""
    try:
        return asyncio.run(_post(URL(f"{address}/chat/completions"), key, body, allow, timeout))
    except FailedCall:
        raise
    except Exception as error:
        raise FailedCall(
            interpret_failure(error, timeout).detail or "The service could not be called."
        ) from error


async def _post(url: URL, key: str | None, body: bytes, allow: Sequence[Network], seconds: float) -> bytes:
    headers = {
        "content-type": "application/json",
        "accept": "application/json",
        "accept-encoding": "identity",
        "user-agent": f"Parley/{VERSION}",
        **({"authorization": f"Bearer {key}"} if key else {}),
    }
    async with (
        guarded_session(allow, timeout=seconds, auto_decompress=False) as session,
        session.post(url, data=body, headers=headers, allow_redirects=False) as answer,
    ):
        if answer.status != 200:
            raise FailedCall(f"The service answered {answer.status}.")
        content = bytearray()
        # The bytes are counted as they come, because a declared length may be wrong.
        async for chunk in answer.content.iter_chunked(64 * 1024):
            content += chunk
            if len(content) > LARGEST_ANSWER:
                raise FailedCall(f"The answer is longer than {LARGEST_ANSWER // 1024} KiB.")
        return bytes(content)
