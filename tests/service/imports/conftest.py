"""Two callers of different organisations who import files."""

import pytest
from starlette.testclient import TestClient

from app.service.context import Context
from tests.service.imports.import_driver import ImportDriver


@pytest.fixture
def imports(api: TestClient, context: Context) -> ImportDriver:
    return ImportDriver(api, context)


@pytest.fixture
def others(stranger: TestClient, context: Context) -> ImportDriver:
    return ImportDriver(stranger, context)
