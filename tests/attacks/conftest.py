"""The service on both stores, as its own tests have it."""

from tests.service.conftest import (
    api,
    app,
    context,
    database_url,
    postgres_database,
    postgres_server,
    settings,
)

__all__ = ["api", "app", "context", "database_url", "postgres_database", "postgres_server", "settings"]
