"""A scripted service and a client of it whose pauses take no time, and the real service."""

from collections.abc import Iterator

import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal

from app.client import ApiClient
from tests.client.deployment import Deployment, deployed
from tests.client.flavours import Connect, connect_async
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


@pytest.fixture(scope="session")
def portal() -> Iterator[BlockingPortal]:
    """An event loop in a thread of its own."""
    with start_blocking_portal() as running:
        yield running


@pytest.fixture(params=["sync", "async"])
def connect(request: pytest.FixtureRequest, portal: BlockingPortal) -> Connect:
    """Makes clients: those that wait, then those that are awaited."""
    return ApiClient if request.param == "sync" else connect_async(portal)


@pytest.fixture
def parley(service: ScriptedService, pauses: list[float], connect: Connect) -> Iterator[ApiClient]:
    with connect(service.address, api_key=API_KEY, sleep=pauses.append, jitter=lambda: 0.5) as client:
        yield client


@pytest.fixture(scope="package")
def deployment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployment]:
    """The real service with a small catalog."""
    with deployed(tmp_path_factory.mktemp("deployment")) as running:
        yield running
