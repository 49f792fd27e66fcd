"""Clients generated from the description, each calling ten operations or more of a started product."""

from pathlib import Path

import httpx
import pytest

from tests.docs.conftest import ON_BOTH_STORES
from tests.docs.programs import require, run_program
from tests.flows.started_product import StartedProduct

pytestmark = [pytest.mark.campaign, pytest.mark.timeout(600), ON_BOTH_STORES]

PYTHON_GENERATOR = "openapi-python-client==0.29.1"
LEAST_OPERATIONS = 10
WORKBOOK = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def test_typescript_is_generated_compiled_strictly_and_runs(
    product: StartedProduct, typescript_project: Path
) -> None:
    printed = ""
    for script in ("generate", "build", "start"):
        printed = run_program(["npm", "run", "--silent", script], typescript_project, product.environment)
    estimate, reading, webhook, refusal = printed.splitlines()
    assert "USD, as in" in estimate
    assert reading == "quote.csv: 1 line"
    assert webhook == "webhook: 1 event"
    assert refusal.startswith("400: The request is not valid. scopeId must ")


def test_python_is_generated_without_a_complaint_and_calls(product: StartedProduct, tmp_path: Path) -> None:
    require("uv")
    description = tmp_path / "openapi.json"
    description.write_bytes(httpx.get(f"{product.address}/v1/openapi").content)
    settings = tmp_path / "settings.yaml"
    # The generator knows JSON, text and bytes only.
    files = ("image/png", "application/pdf", WORKBOOK)
    overrides = ", ".join(f"{each}: application/octet-stream" for each in files)
    settings.write_text(f"content_type_overrides: {{{overrides}}}\n")
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
    run_program([*environment, *generate, *options], tmp_path)
    calls = Path(__file__).with_name("generated_client_calls.py")
    script = ["python", str(calls), str(package), product.address, product.key]
    assert len(set(run_program([*environment, *script], tmp_path).splitlines())) >= LEAST_OPERATIONS
