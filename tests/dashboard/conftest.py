"""The pages on the real service: a running one with a small catalog, and a page of the dashboard on it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import pytest
import streamlit as st
from fastapi import FastAPI
from pydantic import SecretStr
from streamlit.testing.v1 import AppTest

from app.dashboard.deployment import Deployment
from app.dashboard.kit.drafts import draft_store
from app.dashboard.server import configuration
from app.dashboard.signing_in import service_sessions
from app.dashboard.signing_in.sessions import session_store
from app.service.access.keys import create_key
from app.service.context import Context
from app.service.database.schema import migrate
from app.service.http.dependencies import CONTEXT
from app.service.main import create_service
from app.settings import Settings
from tests import component_scan as component_scan
from tests.dashboard.http_server import serve_in_thread
from tests.dashboard.page_helpers import show_page
from tests.dashboard.seed_data import insert_catalog

MAIN = str(configuration.ROOT / "app" / "dashboard" / "main.py")
SECRET = SecretStr("bm90LWEtc2VjcmV0LWJ1dC1hLXRlc3Qta2V5LTAxMjM=")


@dataclass(frozen=True)
class RunningService:
    """A running service with `stock` in its catalog."""

    address: str
    context: Context
    settings: Settings

    def key(self, organisation: str = "Acme", *, read_only: bool = False) -> str:
        with self.context.database.writing() as connection:
            return create_key(
                connection,
                name="test",
                organisation_name=organisation,
                role="reader" if read_only else "owner",
                now=self.context.clock(),
            )[1]


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    """One service for all tests of a process; a test that writes uses an organisation of its own."""
    settings = Settings(
        data_dir=tmp_path_factory.mktemp("service"), rate_limit=0, secret_key=SECRET, inbox=True
    )
    app: FastAPI = create_service(settings)
    context = cast(Context, CONTEXT.get(app))
    migrate(context.database)
    with context.database.writing() as connection:
        insert_catalog(connection)
    with serve_in_thread(app) as address:
        settings.public_url = address
        yield RunningService(address, context, settings)
        service_sessions.close_clients()
    context.database.close()


@pytest.fixture
def dashboard_settings(
    service: RunningService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Settings]:
    """Those of the dashboard's process while the test runs; no cache of another test is left."""
    # A page under test has no browser, and Streamlit puts a mock in the place of its cookies.
    monkeypatch.setattr(type(st.context), "cookies", {})
    settings = Settings(data_dir=tmp_path, secret_key=SECRET, public_url=service.address)
    configuration.set_settings(settings)
    session_store.cache_clear()
    draft_store.cache_clear()
    yield settings
    st.cache_resource.clear()
    configuration.set_settings(Settings())
    session_store.cache_clear()
    draft_store.cache_clear()


@pytest.fixture
def deployment(service: RunningService, dashboard_settings: Settings) -> Deployment:
    return Deployment(service.address, service.key())


OpenPage = Callable[..., AppTest]


@pytest.fixture
def open_page(deployment: Deployment) -> OpenPage:
    """`open_page("company", id=…)`: that page, run from the entry script as somebody who is signed in."""

    def open_one(name: str, *, signed_in_to: Deployment | None = deployment, **query: str) -> AppTest:
        page = AppTest.from_file(MAIN, default_timeout=60)
        if signed_in_to is not None:
            page.session_state["parley.deployment"] = session_store().start(signed_in_to)[0]
        for key, value in query.items():
            page.query_params[key] = value
        if name != "overview":
            show_page(page, name)
        return page.run()

    return open_one
