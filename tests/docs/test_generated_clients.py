"""Clients generated from the description, each calling ten operations or more of a started product."""

import os
import shutil
import subprocess
from pathlib import Path

import httpx
import pytest

from tests.docs.started_product import StartedProduct
from tests.flows.deployment import ROOT

pytestmark = [pytest.mark.campaign, pytest.mark.timeout(600)]

TYPESCRIPT = ROOT / "docs" / "typescript"
PYTHON_GENERATOR = "openapi-python-client==0.29.1"
LEAST_OPERATIONS = 10


def _run(command: list[str], folder: Path, environment: dict[str, str] | None = None) -> str:
    """The output of a command that must succeed."""
    program = shutil.which(command[0])
    if program is None:
        pytest.skip(f"no {command[0]}: the generators come from a registry of packages")
    done = subprocess.run(
        [program, *command[1:]],
        cwd=folder,
        env={**os.environ, **(environment or {})},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def typescript_project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the TypeScript client's folder with its packages installed."""
    project = tmp_path_factory.mktemp("typescript") / "client"
    shutil.copytree(
        TYPESCRIPT, project, ignore=shutil.ignore_patterns("node_modules", "built", "parley.d.ts")
    )
    _run(["npm", "install", "--no-audit", "--no-fund"], project)
    return project


def test_typescript_is_generated_compiled_strictly_and_runs(
    product: StartedProduct, typescript_project: Path
) -> None:
    printed = ""
    for script in ("generate", "build", "start"):
        printed = _run(["npm", "run", "--silent", script], typescript_project, product.environment)
    estimate, reading, webhook, refusal = printed.splitlines()
    assert "USD, as in" in estimate
    assert reading == "quote.csv: 1 line"
    assert webhook == "webhook: 1 event"
    assert refusal.startswith("400: The request is not valid. scopeId: ")


def test_python_is_generated_without_a_complaint_and_calls(product: StartedProduct, tmp_path: Path) -> None:
    description = tmp_path / "openapi.json"
    description.write_bytes(httpx.get(f"{product.address}/v1/openapi").content)
    settings = tmp_path / "settings.yaml"
    # The generator knows JSON, text and bytes only.
    settings.write_text("content_type_overrides: {image/png: application/octet-stream}\n")
    environment = ["uv", "run", "--no-project", "--with", PYTHON_GENERATOR]
    package = tmp_path / "generated"
    options = ["--meta", "none", "--config", str(settings), "--fail-on-warning"]
    generate = [
        "openapi-python-client",
        "generate",
        "--path",
        str(description),
        "--output-path",
        str(package),
    ]
    _run([*environment, *generate, *options], tmp_path)
    calls = Path(__file__).with_name("generated_client_calls.py")
    script = ["python", str(calls), str(package), product.address, product.key]
    assert len(set(_run([*environment, *script], tmp_path).splitlines())) >= LEAST_OPERATIONS
