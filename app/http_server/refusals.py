"""The server's own refusals, which no application sees: problem documents (RFC 9457) like all others."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from http import HTTPStatus
from types import MappingProxyType

from app.contract.problem import MEDIA_TYPE, Problem, Trace


@dataclass(eq=False)
class Refusal(Exception):
    """Why a request is not taken. `retry_after` in seconds, where trying again may help."""

    status: HTTPStatus
    detail: str
    retry_after: int | None = None

    def render(self, path: str, headers: Mapping[str, str] = MappingProxyType({})) -> bytes:
        """The whole answer, after which the connection is closed. `headers` are further ones of it."""
        request_id = str(uuid.uuid4())
        problem = Problem(
            type="about:blank",
            title=self.status.phrase,
            status=self.status,
            detail=self.detail,
            instance=path,
            trace=Trace(timestamp=datetime.now(UTC), request_id=request_id),
        )
        body = problem.model_dump_json(by_alias=True, exclude_none=True).encode()
        head = [
            f"HTTP/1.1 {self.status.value} {self.status.phrase}",
            f"content-type: {MEDIA_TYPE}",
            f"content-length: {len(body)}",
            f"x-request-id: {request_id}",
            "connection: close",
            *(f"{name}: {value}" for name, value in headers.items()),
        ]
        if self.retry_after is not None:
            head.append(f"retry-after: {self.retry_after}")
        return ("\r\n".join(head) + "\r\n\r\n").encode() + body
