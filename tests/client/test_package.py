"""The client's wheel, installed where nothing else is, calls a started service."""

import json
import re
import subprocess
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


def test_it_brings_httpx_and_pydantic_and_nothing_else(python: Path) -> None:
    installed = json.loads(uv("pip", "list", "--format", "json", "--python", python))
    assert {package["name"] for package in installed} == PACKAGES
    assert {"name": "parley-client", "version": VERSION} in installed


@pytest.mark.parametrize("code", first_steps())
def test_the_first_steps_run_against_a_service(
    python: Path, deployment: Deployment, tmp_path: Path, code: str
) -> None:
    replaced = {
        "http://127.0.0.1:8000": deployment.address,
        '"..."': repr(deployment.key()),
        "soft": "supplier",
    }
    for text, ours in replaced.items():
        assert text in code
        code = code.replace(text, ours)
    printed = run(python, code, tmp_path)
    assert re.findall(r"Supplier \d", printed) == [f"Supplier {number}" for number in range(SUPPLIERS)]


def test_subjects_are_imported_when_they_are_used_and_the_product_never(python: Path, tmp_path: Path) -> None:
    code = """
import importlib, pathlib, pkgutil, sys, parley_client
records = {name.removeprefix("parley_client.contract.") for name in sys.modules if ".contract." in name}
assert records == {"model", "page", "problem", "validation_messages", "values", "version"}, records
with parley_client.ApiClient("http://127.0.0.1:8000") as parley:
    parley.health
    assert "parley_client.contract.health" in sys.modules
    assert "parley_client.contract.catalog" not in sys.modules
for module in pkgutil.walk_packages(parley_client.__path__, "parley_client."):
    importlib.import_module(module.name)
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
