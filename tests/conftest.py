"""What holds for every test."""

import gc
import os
import sys
from collections.abc import Iterator
from functools import cache

import httpx
import pytest

from tests.shared_compilation import share_compiled_statements

# Where the environment forbids bytecode, each of the hundred processes that tests start would compile anew
# all that it imports, which takes longer than the tests.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

share_compiled_statements()

# Reading the system's certificates takes longer than a call, and few calls of tests are encrypted.
httpx._transports.default.create_ssl_context = cache(  # pyright: ignore[reportPrivateImportUsage]
    httpx.create_ssl_context
)

# What is imported and collected stays: a search for garbage goes through it again and again for nothing.
gc.disable()


def pytest_itemcollected(item: pytest.Item) -> None:
    """What asks the store for nothing special runs on the second one in the campaign alone."""
    if item.get_closest_marker("second_store") and not item.get_closest_marker("both_stores"):
        item.add_marker(pytest.mark.campaign)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Those in a browser are together, and those of agents, so that few processes start one or a door for
    them, and the longest begin early; the others stay in their random order."""
    items.sort(key=lambda item: not item.nodeid.startswith(("tests/browser/", "tests/flows/")))
    items.sort(key=lambda item: item.nodeid.startswith("tests/agents/"))


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


@pytest.fixture(autouse=True)
def main_module() -> Iterator[None]:
    """A page that Streamlit ran stays behind as `__main__`; a process started later would run it again."""
    ours = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = ours
