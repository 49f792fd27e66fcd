"""The client's wheel, installed where nothing else is, calls a started service."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from app.contract.version import VERSION
from tests.client.deployment import SUPPLIERS, Deployment
from tests.client.package import ROOT, NoPackageIndex, first_steps, install_client, uv

PACKAGES = {
    *("parley-client", "httpx", "pydantic"),
    # What these two bring.
    *("annotated-types", "anyio", "certifi", "h11", "httpcore", "idna", "pydantic-core"),
    *("typing-extensions", "typing-inspection"),
}


PROGRAM = """
from collections.abc import AsyncIterator, Iterator
from typing import assert_type
from parley_client import ApiClient, AsyncApiClient, EventPage
from parley_client.contract.catalog import Company, CompanyInList
from parley_client.contract.page import ListPage

def wait(parley: ApiClient) -> None:
    assert_type(parley.catalog.company("1"), Company)
    assert_type(parley.catalog.companies(limit=1, name="x"), ListPage[CompanyInList])
    assert_type(parley.catalog.iter_companies(), Iterator[CompanyInList])
    assert_type(parley.webhooks.events("1", status="failed"), EventPage)
    parley.catalog.companies(nme="x")  # wrong
    parley.catalog.company(1)  # wrong

async def await_them(parley: AsyncApiClient) -> None:
    assert_type(await parley.catalog.company("1"), Company)
    assert_type(await parley.catalog.companies(limit=1, name="x"), ListPage[CompanyInList])
    assert_type(parley.catalog.iter_companies(), AsyncIterator[CompanyInList])
    assert_type(await parley.webhooks.events("1", status="failed"), EventPage)
    await parley.catalog.companies(nme="x")  # wrong
    assert_type(parley.catalog.company("1"), Company)  # wrong
"""


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    try:
        return install_client(tmp_path_factory.mktemp("package"))
    except NoPackageIndex as refusal:
        pytest.skip(f"no package index: {refusal}")


def run(python: Path, code: str, folder: Path) -> str:
    done = subprocess.run([python, "-I", "-c", code], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def against(deployment: Deployment, code: str) -> str:
    """An example of the README that calls this deployment."""
    replaced = {
        "http://127.0.0.1:8000": deployment.address,
        '"..."': repr(deployment.key()),
        "soft": "supplier",
    }
    for text, ours in replaced.items():
        assert text in code
        code = code.replace(text, ours)
    return code


@pytest.mark.campaign
def test_it_brings_httpx_and_pydantic_and_nothing_else(python: Path) -> None:
    installed = json.loads(uv("pip", "list", "--format", "json", "--python", python))
    assert {package["name"] for package in installed} == PACKAGES
    assert {"name": "parley-client", "version": VERSION} in installed


@pytest.mark.campaign
@pytest.mark.parametrize("code", first_steps())
def test_the_first_steps_run_against_a_service(
    python: Path, deployment: Deployment, tmp_path: Path, code: str
) -> None:
    printed = run(python, against(deployment, code), tmp_path)
    assert re.findall(r"Supplier \d", printed) == [f"Supplier {number}" for number in range(SUPPLIERS)]


@pytest.mark.campaign
def test_the_oldest_libraries_that_it_allows_will_do(deployment: Deployment, tmp_path: Path) -> None:
    # Without the versions that this repository pins.
    python = install_client(tmp_path, "--no-config", "--resolution", "lowest-direct")
    for code in first_steps():
        assert "Supplier 1" in run(python, against(deployment, code), tmp_path)


@pytest.mark.campaign
def test_type_checkers_know_what_a_method_returns(python: Path, tmp_path: Path) -> None:
    (tmp_path / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict"}')
    (tmp_path / "program.py").write_text(PROGRAM)
    done = subprocess.run(
        [Path(sys.executable).with_name("pyright"), "--pythonpath", python, "--outputjson"],
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )
    found = json.loads(done.stdout)["generalDiagnostics"]
    wrong = {number for number, line in enumerate(PROGRAM.splitlines()) if line.endswith("# wrong")}
    assert {each["range"]["start"]["line"] for each in found} == wrong, found


@pytest.mark.campaign
def test_subjects_are_imported_when_they_are_used_and_the_product_never(python: Path, tmp_path: Path) -> None:
    code = """
import importlib, importlib.metadata, pathlib, pkgutil, sys, parley_client
records = {name.removeprefix("parley_client.contract.") for name in sys.modules if ".contract." in name}
expected = {"access", "base_url", "counts", "model", "page", "problem", "values", "version"}
expected.add("validation_messages")
assert records == expected, records
with parley_client.ApiClient("http://127.0.0.1:8000") as parley:
    parley.health
    assert "parley_client.contract.health" in sys.modules
    assert "parley_client.contract.catalog" not in sys.modules
for module in pkgutil.walk_packages(parley_client.__path__, "parley_client."):
    importlib.import_module(module.name)
assert any(path.name == "LICENSE" for path in importlib.metadata.files("parley-client"))
assert "app" not in sys.modules
assert parley_client.__all__ and all(hasattr(parley_client, name) for name in parley_client.__all__)
assert pathlib.Path(parley_client.__file__).with_name("py.typed").exists()
"""
    run(python, code, tmp_path)


def test_the_client_and_the_contract_import_each_other_by_place() -> None:
    """A path that begins with `app` would not be there where the package has another name."""
    absolute = [
        f"{path.relative_to(ROOT)}: {line}"
        for part in ("client", "contract")
        for path in sorted((ROOT / "app" / part).rglob("*.py"))
        for line in re.findall(r"^\s*(?:from|import) app\b.*", path.read_text(), re.MULTILINE)
    ]
    assert not absolute
