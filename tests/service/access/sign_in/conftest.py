"""A service with an identity provider for all tests of a file: each finds nobody signed in, and an hour of
its own."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from fastapi import FastAPI
from pydantic import SecretStr
from starlette.testclient import TestClient

from app.service.access.guard import ACCESS_CONTROL
from app.service.context import Context
from app.service.database.clock import utc_now
from app.service.database.tables import identity, membership, used_ticket, user_account, user_session
from app.service.http.dependencies import CONTEXT
from app.service.main import create_service
from app.service.openid.provider import Provider
from app.settings import Settings
from tests.service.conftest import VAULT_KEY
from tests.service.migrated_database import provide_schema
from tests.service.openid.small_provider import CLIENT_ID, CLIENT_SECRET, SmallProvider, small_provider
from tests.service.postgres import empty

AUDIENCE = "https://parley.example.com/api"
ROLES = "readers=reader@Acme; buyers=buyer@Acme; heads=admin@Acme; others=owner@Other Ltd"


class Clock:
    def __init__(self) -> None:
        self.ahead = timedelta()

    def __call__(self) -> datetime:
        return utc_now() + self.ahead


CLOCK = Clock()


@pytest.fixture(scope="module")
def running() -> Iterator[SmallProvider]:
    with small_provider() as provider:
        yield provider


@pytest.fixture(scope="module", params=["sqlite", pytest.param("postgresql", marks=pytest.mark.campaign)])
def service(
    request: pytest.FixtureRequest, running: SmallProvider, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[FastAPI]:
    """One service for all tests of this file: each finds nobody signed in and an hour of its own."""
    url = None
    if request.param == "postgresql":
        url = request.getfixturevalue("postgres_database")
        empty(url)
    settings = Settings(
        database_url=url,
        data_dir=tmp_path_factory.mktemp("sign-in"),
        rate_limit=0,
        secret_key=SecretStr(VAULT_KEY),
        oidc_issuer=running.issuer,
        oidc_client_id=CLIENT_ID,
        oidc_client_secret=SecretStr(CLIENT_SECRET),
        oidc_roles=ROLES,
        oidc_audience=AUDIENCE,
        oidc_contact="procurement-it@acme.test",
    )
    app = create_service(settings, CLOCK)
    provide_schema(CONTEXT.get(app).database)
    yield app
    CONTEXT.get(app).close()


@pytest.fixture
def clock() -> Clock:
    CLOCK.ahead += timedelta(minutes=2)
    return CLOCK


@pytest.fixture
def provider(running: SmallProvider, clock: Clock) -> SmallProvider:
    running.__init__(running.issuer)
    running.clock = lambda: clock().timestamp()
    return running


@pytest.fixture
def app(service: FastAPI, provider: SmallProvider, monkeypatch: pytest.MonkeyPatch) -> FastAPI:
    """The service, whose caches are empty: a session that ended is noticed at once, not after a second."""
    monkeypatch.setattr("app.service.access.guard.KEY_CACHE_SECONDS", 0.0)
    context = CONTEXT.get(service)
    context = replace(context, provider=Provider(context.settings))
    CONTEXT.set(service, context)
    monkeypatch.setattr(ACCESS_CONTROL.get(service), "_context", context)
    with context.database.writing() as connection:
        for table in (used_ticket, user_session, membership, identity, user_account):
            connection.execute(table.delete())
    return service


@pytest.fixture
def context(app: FastAPI) -> Context:
    return CONTEXT.get(app)


@pytest.fixture(scope="module")
def started(service: FastAPI) -> TestClient:
    return TestClient(service)


@pytest.fixture
def client(app: FastAPI, started: TestClient) -> TestClient:
    """Of nobody."""
    return started
