"""The files that an operator starts from: they are valid, and name what the product has."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from app.contract.version import VERSION
from app.files_url import FilesUrl
from app.service.health import router as health
from app.service.operation.routes import router as operation
from app.settings import Settings
from tests.flows.deployment import ROOT

PROBED = (health, operation)
DEPLOY = ROOT / "deploy"
SETTINGS = {str(f.validation_alias or f"PARLEY_{name.upper()}") for name, f in Settings.model_fields.items()}


def _compose() -> dict[str, Any]:
    return yaml.safe_load((DEPLOY / "compose.yaml").read_text())


def test_compose_sets_settings_that_there_are_and_asks_for_those_that_the_example_lists() -> None:
    text = (DEPLOY / "compose.yaml").read_text()
    services = _compose()["services"]
    for service in (one for name, one in services.items() if name != "roles"):  # a program of PostgreSQL
        ours = {name for name in service.get("environment", {}) if name.startswith(("PARLEY_", "DATABASE_"))}
        assert ours <= SETTINGS
    asked = set(re.findall(r"\$\{([A-Z_]+)", text)) - {"PARLEY_IMAGE"}
    listed = set(re.findall(r"^([A-Z_]+)=", (DEPLOY / "compose.env.example").read_text(), re.M))
    assert asked == listed


def test_each_container_of_ours_runs_without_rights_on_a_read_only_system() -> None:
    ours = {name: one for name, one in _compose()["services"].items() if name != "database"}
    owner = ours["migrate"]["environment"]["DATABASE_URL"]
    assert ours["roles"]["environment"]["DATABASE_URL"] == owner
    assert (
        owner
        != ours["service"]["environment"]["DATABASE_URL"]
        == ours["worker"]["environment"]["DATABASE_URL"]
    )
    assert set(ours) >= {"service", "worker", "dashboard", "migrate", "proxy"}
    for service in ours.values():
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
    for name in ("service", "worker", "dashboard"):
        assert ours[name]["deploy"]["replicas"] == 2


def test_compose_brings_a_store_for_files_only_where_it_is_asked_for() -> None:
    services = _compose()["services"]
    assert {name for name, one in services.items() if one.get("profiles")} == {"store", "bucket"}
    assert services["migrate"]["depends_on"]["bucket"]["required"] is False
    example = (DEPLOY / "compose.env.example").read_text()
    named = dict(re.findall(r"^#([A-Z_]+)=(.*)$", example, re.M))
    assert named["COMPOSE_PROFILES"] == "store"
    assert named["AWS_ENDPOINT_URL"] == "http://store:8333"
    assert FilesUrl.parse(named["PARLEY_FILES_URL"]).bucket in services["bucket"]["command"][0]
    assert services["store"]["environment"].keys() <= named.keys()


def test_the_image_that_runs_has_an_ordinary_user_and_nothing_that_installs() -> None:
    stages = re.split(r"^(?=FROM )", (DEPLOY / "Containerfile").read_text(), flags=re.M)
    build, run = stages[-2:]
    assert "/uv " in build
    assert not re.search(r"\buv\b|\bpip\b|\bapt", run)
    assert re.search(r"^USER 10001:10001$", run, re.M)
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    kept = {line[1:] for line in ignored if line.startswith("!")}
    assert all((ROOT / name).exists() for name in kept)
    wheel = re.search(r"^packages = (\[.*\])$", (ROOT / "pyproject.toml").read_text(), re.M)
    assert wheel is not None
    assert kept >= {*json.loads(wheel[1]), ".streamlit", "pyproject.toml", "README.md", "LICENSE"}


def test_the_chart_is_of_this_version() -> None:
    chart = yaml.safe_load((DEPLOY / "chart" / "Chart.yaml").read_text())
    assert (chart["version"], chart["appVersion"]) == (VERSION, VERSION)


@pytest.mark.parametrize("file", sorted(DEPLOY.rglob("*.sh")), ids=lambda file: file.name)
def test_a_script_is_one_that_a_shell_takes(file: Path) -> None:
    assert file.stat().st_mode & 0o111
    assert subprocess.run(["sh", "-n", file], check=False).returncode == 0


def test_the_processes_answer_where_they_are_asked_whether_they_live() -> None:
    known = {"/_stcore/health"} | {
        str(getattr(route, "path", "")) for router in PROBED for route in router.routes
    }
    files = (DEPLOY / "chart/templates/processes.yaml", DEPLOY / "compose.yaml", DEPLOY / "Containerfile")
    asked = {
        path
        for file in files
        for path in re.findall(r'"(?:live|ready)" "([^"]+)"|127\.0\.0\.1:\d+([^\'"]+)', file.read_text())
    }
    assert {one or other for one, other in asked} <= known
    assert len(asked) >= 3
