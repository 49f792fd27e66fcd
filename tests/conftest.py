"""What holds for every test."""

import gc
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path

import httpx
import pytest

from tests.shared_compilation import share_compiled_statements

ROOT = Path(__file__).parents[1]

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


def pytest_sessionstart(session: pytest.Session) -> None:
    """Where all tests are run by several processes, each compiles another part of what all of them import."""
    worker = os.environ.get("PYTEST_XDIST_WORKER", "").removeprefix("gw")
    if not worker or session.config.args != session.config.getini("testpaths"):
        return
    modules = sorted((ROOT / "tests").rglob("test_*.py"))
    share = len(modules) // int(os.environ["PYTEST_XDIST_WORKER_COUNT"]) + 1
    for path in modules[share * int(worker) :][:share]:
        with suppress(Exception):  # told when it is collected
            import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))


def pytest_itemcollected(item: pytest.Item) -> None:
    """What asks the store for nothing special runs on the second one in the campaign alone."""
    if item.get_closest_marker("second_store") and not item.get_closest_marker("both_stores"):
        item.add_marker(pytest.mark.campaign)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Those in a browser are together, and those of agents, so that few processes start one or a door for
    them, and the longest begin early; the others stay in their random order."""
    begins = ("tests/browser/", "tests/flows/")
    items.sort(key=lambda item: item.nodeid.startswith("tests/agents/") - item.nodeid.startswith(begins))


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


@pytest.fixture(autouse=True)
def main_module() -> Iterator[None]:
    """A page that Streamlit ran stays behind as `__main__`; a process started later would run it again."""
    ours = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = ours
