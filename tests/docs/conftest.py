"""One running product for all that is documented."""

from collections.abc import Iterator

import pytest

from tests.docs.started_product import StartedProduct, start_product
from tests.service.conftest import postgres_server
from tests.service.postgres import fresh_database


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def product(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[StartedProduct]:
    """The product with sample data, on both stores."""
    folder = tmp_path_factory.mktemp("product")
    if request.param == "sqlite":
        with start_product(folder) as started:
            yield started
        return
    with (
        fresh_database(request.getfixturevalue("postgres_server")) as url,
        start_product(folder, url) as started,
    ):
        yield started


__all__ = ["postgres_server"]
