"""The same call several times at once: each is answered, and none with a fault of the service."""

from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.service.context import Context
from app.service.http.openapi import load_description
from tests.service.running_service import create_one_of_everything
from tests.service.valid_bodies import first_body
from tests.service.write_calls import with_planned_negotiation

pytestmark = [pytest.mark.campaign, pytest.mark.timeout(900)]

CALLERS = 4


def list_writes() -> Iterator[tuple[str, str]]:
    """Every operation that changes something; what takes away comes last."""
    for method in ("post", "put", "patch", "delete"):
        for path, operations in load_description(with_inbox=True)["paths"].items():
            if method in operations and operations[method]["security"]:
                yield method.upper(), path


def test_the_same_call_several_times_at_once_is_no_fault(
    context: Context, api: TestClient, tmp_path: Path
) -> None:
    existing = with_planned_negotiation(context, api, create_one_of_everything(context, api, tmp_path))
    faults: dict[str, list[int]] = {}
    statuses: set[int] = set()
    with ThreadPoolExecutor(CALLERS) as pool:
        for method, path in list_writes():
            label = f"{method} {path}"
            place = path.format_map(defaultdict(lambda: "none", existing))
            call = _Call(api, method, place, first_body(label, existing))
            found = [*pool.map(call, range(CALLERS))]
            statuses |= {*found}
            if max(found) >= 500:
                faults[label] = found
    assert faults == {}
    assert {200, 201, 204} <= statuses


class _Call:
    """One call, which begins together with its equals."""

    def __init__(self, api: TestClient, method: str, path: str, body: Any) -> None:
        self._api, self._method, self._path, self._body = api, method, path, body
        self._together = Barrier(CALLERS)

    def __call__(self, _: int) -> int:
        self._together.wait()
        return self._api.request(self._method, self._path, json=self._body).status_code
