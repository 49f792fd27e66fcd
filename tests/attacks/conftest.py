"""The service on both stores, as its own tests have it, and a folder of data with a key."""

from pathlib import Path

import pytest

from app.service.context import open_context
from app.service.database.schema import migrate
from app.settings import Settings
from tests.service.conftest import (
    api,
    app,
    context,
    database_url,
    key_for,
    postgres_database,
    postgres_server,
    settings,
)

__all__ = ["api", "app", "context", "database_url", "postgres_database", "postgres_server", "settings"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def key(folder: Path) -> str:
    context = open_context(Settings(data_dir=folder, database_url=None))
    migrate(context.database)
    made = key_for(context)
    context.close()
    return made
