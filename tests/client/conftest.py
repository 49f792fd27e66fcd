"""A scripted service and a client of it whose pauses take no time, and the real service."""

from collections.abc import Iterator

import pytest

from app.client import ApiClient
from tests.client.deployment import Deployment, deployed
from tests.client.scripted import ScriptedService

API_KEY = "key-of-the-first-caller"


@pytest.fixture
def service() -> Iterator[ScriptedService]:
    scripted = ScriptedService()
    yield scripted
    scripted.close()


@pytest.fixture
def pauses() -> list[float]:
    """The seconds that the client would have waited."""
    return []


@pytest.fixture
def parley(service: ScriptedService, pauses: list[float]) -> Iterator[ApiClient]:
    with ApiClient(service.address, api_key=API_KEY, sleep=pauses.append, jitter=lambda: 0.5) as client:
        yield client


@pytest.fixture(scope="package")
def deployment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployment]:
    """The real service with a small catalog."""
    with deployed(tmp_path_factory.mktemp("deployment")) as running:
        yield running
