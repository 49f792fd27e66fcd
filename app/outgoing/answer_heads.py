"""Answers with heads that are large or absurd: what their status line says is known all the same.

A receiver that answered 200 has taken what was sent, whatever its other lines say. Those that are HTTP are
read up to 1 MiB of head; of a head that is none, such as one with a negative Content-Length, the status is.
"""

import re
from typing import Any

from aiohttp import ClientResponseError
from aiohttp.client_proto import ResponseHandler
from aiohttp.http_exceptions import HttpProcessingError

MAX_HEAD_BYTES = 1024 * 1024
HEAD_LIMITS: dict[str, Any] = {
    "max_line_size": MAX_HEAD_BYTES,
    "max_field_size": MAX_HEAD_BYTES,
    "max_headers": MAX_HEAD_BYTES // 4,
}
"""For a session of aiohttp, which refuses more than 8,190 bytes or 128 lines itself."""

_STATUS_LINE = re.compile(rb"HTTP/1\.[01] ([2-5][0-9]{2})[ \r\n]")
_INTERIM = (b"HTTP/1.1 1", b"HTTP/1.0 1")
_END = re.compile(rb"\r?\n\r?\n")


class _UnreadableHead(HttpProcessingError):
    """A head that could not be read, after a status line that could."""


def find_status(error: ClientResponseError) -> int | None:
    """Return the status of an answer whose head could not be read; None where it stated none."""
    return error.status if isinstance(error.__cause__, _UnreadableHead) else None


class AnswerHandler(ResponseHandler):
    """A connection that bounds the heads of answers as a whole, and knows their status lines."""

    _head = bytearray()
    _is_whole = False

    def set_response_params(self, **params: Any) -> None:
        """Begin with the answer to another request."""
        self._head = bytearray()
        self._is_whole = False
        super().set_response_params(**params)

    def data_received(self, data: bytes) -> None:
        """Take what has arrived."""
        if not self._is_whole:
            self._head += data[: MAX_HEAD_BYTES + 1]
            while (end := _END.search(self._head)) and self._head.startswith(_INTERIM):
                del self._head[: end.end()]
            self._is_whole = end is not None
            if end is None and len(self._head) > MAX_HEAD_BYTES:
                if self.transport is not None:
                    self.transport.close()
                self.set_exception(HttpProcessingError(code=400, message="a head without an end"))
                return
        super().data_received(data)

    def set_exception(self, exc: BaseException, exc_cause: BaseException | None = None) -> None:
        """End the answer with an error, which carries the status where that is known."""
        line = _STATUS_LINE.match(self._head)
        if isinstance(exc, HttpProcessingError) and line is not None:
            exc = _UnreadableHead(code=int(line[1]), message=exc.message)
        super().set_exception(exc, exc if exc_cause is None else exc_cause)
