"""The stores that a figure is measured on."""

from collections.abc import Callable

from tests.benchmarks.figures import Figure
from tests.service.postgres import fresh_database, server_url


def on_each_store(measure: Callable[[str, str | None], list[Figure]]) -> list[Figure]:
    """What `measure` finds, given a store's name and address: SQLite in a folder (None) always, PostgreSQL
    where there is one."""
    figures = measure("SQLite", None)
    server = server_url()
    if server is not None:
        with fresh_database(server) as url:
            figures += measure("PostgreSQL", url)
    return figures
