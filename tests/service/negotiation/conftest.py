"""A driver of negotiations in a small market, on both stores. Each service runs for the whole test run and is
emptied for each test: starting one and preparing its statements takes longer than most tests."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from fastapi import FastAPI
from httpx import Client
from pydantic import SecretStr

from app.service.context import Context
from app.service.database.tables import audit_entry, audit_link, metadata
from app.service.http.dependencies import CONTEXT
from app.service.main import create_service
from app.settings import Settings
from tests.service.conftest import VAULT_KEY
from tests.service.migrated_database import provide_schema
from tests.service.negotiation.fake_clock import NOW, FakeClock
from tests.service.negotiation.market_fixture import CatalogMarket, create_market
from tests.service.negotiation.negotiation_driver import NegotiationDriver


@dataclass
class RunningService:
    """A service on one store, and the clock that it reads."""

    app: FastAPI
    clock: FakeClock
    settings: Settings

    @property
    def context(self) -> Context:
        return CONTEXT.get(self.app)

    def reset(self, data_dir: Path) -> None:
        """Reset it to its start: no rows but those of the audit log, which the database keeps, the clock at
        its start, no setting changed."""
        self.clock.now = NOW
        for name, value in self.settings.model_copy(update={"data_dir": data_dir}):
            setattr(self.context.settings, name, value)
        with self.context.database.writing() as connection:
            for table in reversed(metadata.sorted_tables):
                if table not in (audit_entry, audit_link):
                    connection.execute(table.delete())


def create_running_service(database_url: str, data_dir: Path) -> RunningService:
    """Create a service on a new, migrated database, without starting it."""
    settings = Settings(
        database_url=database_url,
        data_dir=data_dir,
        rate_limit=0,
        secret_key=SecretStr(VAULT_KEY),
        public_url="http://testserver",
    )
    clock = FakeClock()
    app = create_service(settings.model_copy(), clock)
    provide_schema(CONTEXT.get(app).database)
    return RunningService(app, clock, settings)


@pytest.fixture(scope="session")
def running_service(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Callable[[str | None], RunningService]]:
    """Return the service on a store, by the store's address; None is SQLite."""
    services: dict[str | None, RunningService] = {}

    def on(database_url: str | None) -> RunningService:
        if database_url not in services:
            folder = tmp_path_factory.mktemp("running-service")
            services[database_url] = create_running_service(
                database_url or f"sqlite:///{folder}/parley.sqlite3", folder
            )
        return services[database_url]

    yield on
    for service in services.values():
        service.context.database.close()


@pytest.fixture
def service(
    running_service: Callable[[str | None], RunningService], database_url: str | None, tmp_path: Path
) -> RunningService:
    found = running_service(database_url)
    found.reset(tmp_path / "data")
    return found


@pytest.fixture
def clock(service: RunningService) -> FakeClock:
    return service.clock


@pytest.fixture
def app(service: RunningService) -> FastAPI:
    return service.app


@pytest.fixture
def market(context: Context) -> CatalogMarket:
    return create_market(context)


@pytest.fixture
def driver(api: Client, context: Context, market: CatalogMarket, clock: FakeClock) -> NegotiationDriver:
    return NegotiationDriver(api, context, market, clock)
