"""One running product for all that is documented."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.programs import require, run_program
from tests.flows.deployment import ROOT
from tests.flows.started_product import StartedProduct, run_in_process, start_product
from tests.service.conftest import postgres_server
from tests.service.postgres import fresh_database

STORES = ("sqlite", "postgresql")
ON_BOTH_STORES = pytest.mark.parametrize("product", STORES, indirect=True, scope="module")
"""For what runs in the campaign only."""


@pytest.fixture(
    scope="module",
    params=["in_process", *(pytest.param(store, marks=pytest.mark.campaign) for store in STORES)],
)
def product(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[StartedProduct]:
    """The product with a catalog: in this process with few purchases, and in the campaign as it is started in
    earnest, with the sample data, on both stores."""
    folder = tmp_path_factory.mktemp("product")
    if request.param == "in_process":
        with run_in_process(folder) as started:
            yield started
    elif request.param == "sqlite":
        with start_product(folder) as started:
            yield started
    else:
        server = request.getfixturevalue("postgres_server")
        with fresh_database(server) as url, start_product(folder, url) as started:
            yield started


@pytest.fixture(scope="module")
def typescript_project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the folder of the TypeScript client with its packages installed."""
    require("npm", "npx", "node")
    project = tmp_path_factory.mktemp("typescript") / "client"
    made = shutil.ignore_patterns("node_modules", "built", "parley.d.ts", "package-lock.json")
    shutil.copytree(ROOT / "docs" / "typescript", project, ignore=made)
    run_program(["npm", "install", "--no-audit", "--no-fund"], project)
    return project


__all__ = ["postgres_server"]
