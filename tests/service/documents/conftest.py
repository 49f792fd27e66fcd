"""What the tests of documents share."""

from collections.abc import Iterator

import pytest

from app.service.documents.sandbox.reader_pool import ReaderPool


@pytest.fixture(scope="session")
def readers() -> Iterator[ReaderPool]:
    with ReaderPool() as pool:
        yield pool
