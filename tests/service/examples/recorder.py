"""Calls of a running service, kept as the examples of its description."""

import re
from dataclasses import dataclass, field
from typing import Any

import httpx

from tests.service.examples.description import build_openapi
from tests.service.negotiation.fake_clock import FakeClock


def find_operations() -> dict[str, tuple[str, str]]:
    """The method and the path of every operation, by its id."""
    return {
        operation["operationId"]: (method.upper(), path)
        for path, operations in build_openapi(with_inbox=True)["paths"].items()
        for method, operation in operations.items()
    }


@dataclass
class Recorder:
    """Calls operations by their ids. The clock moves on by a minute with each call, so that what happens has
    an order."""

    api: httpx.Client
    clock: FakeClock
    operations: dict[str, Any] = field(default_factory=dict[str, Any])
    errors: dict[str, Any] = field(default_factory=dict[str, Any])
    events: dict[str, Any] = field(default_factory=dict[str, Any])
    _paths: dict[str, tuple[str, str]] = field(default_factory=find_operations)

    def call(self, operation_id: str, *, status: int = 200, **request: Any) -> Any:
        """Calls an operation as `send` does and keeps request and answer as its example."""
        said = self.send(operation_id, status=status, **request)
        kept = self.operations.setdefault(operation_id, {"parameters": {}, "responses": {}})
        if "body" in request:
            kept["request"] = request["body"]
        if "file" in request:
            kept["form"] = {"file": request["file"][1].decode()}
        kept["parameters"] |= {name: value for name, value in request.items() if name not in _OF_REQUESTS}
        if said is not None:
            kept["responses"][str(status)] = said
        return said

    def refuse(self, operation_id: str, *, status: int, **request: Any) -> None:
        """Calls an operation that answers with an error, and keeps that as the example of the status."""
        self.errors[str(status)] = self.send(operation_id, status=status, **request)

    def send(
        self,
        operation_id: str,
        *,
        status: int,
        body: Any = None,
        file: tuple[str, bytes] | None = None,
        content: bytes | None = None,
        headers: dict[str, str] | None = None,
        **parameters: Any,
    ) -> Any:
        """Calls an operation; what it answers. `parameters` are those of the path and of the query."""
        self.clock.advance(minutes=1)
        method, path = self._paths[operation_id]
        in_path = set(re.findall(r"{(\w+)}", path))
        answer = self.api.request(
            method,
            path.format_map(parameters),
            params={name: value for name, value in parameters.items() if name not in in_path},
            json=body,
            files={"file": file} if file else None,
            content=content,
            headers=headers,
        )
        assert answer.status_code == status, (operation_id, answer.status_code, answer.text)
        return _read(answer)


_OF_REQUESTS = {"body", "file", "content", "headers"}


def _read(answer: httpx.Response) -> Any:
    """What an answer says: JSON, text, or nothing where it is neither."""
    kind = answer.headers.get("content-type", "")
    if "json" in kind:
        return answer.json()
    is_text = kind.startswith("text/csv") or kind == "application/octet-stream"
    return answer.text if is_text else None
