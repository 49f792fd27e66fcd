"""README and settings are true: their paths exist, commands are commands, settings are all of them."""

import re
import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app.cli import app
from app.settings import Settings

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
SETTINGS = (ROOT / "docs" / "settings.md").read_text()
PATHS = sorted(
    set(re.findall(r"`((?:app|pages|components|tests|deploy|\.streamlit|\.ci)(?:/[\w./-]*)?)`", README))
    | set(re.findall(r"\]\(((?!http)[^)#]+)\)", README))
)
COMMANDS = sorted(set(re.findall(r"(?:uv run )?parley ([a-z]+(?: [a-z][a-z-]*)?)", README)))


@pytest.mark.parametrize("path", PATHS)
def test_every_path_it_names_exists(path: str) -> None:
    assert (ROOT / path).exists()


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_it_names_is_one(command: str) -> None:
    words = command.split()
    groups = {"keys", "import", "sample"}
    asked = words[:2] if words[0] in groups else words[:1]
    assert CliRunner().invoke(app, [*asked, "--help"]).exit_code == 0


def test_every_setting_is_documented() -> None:
    for name, field in Settings.model_fields.items():
        variable = str(field.validation_alias or f"PARLEY_{name.upper()}")
        assert f"`{variable}`" in SETTINGS, variable


def test_what_is_for_a_team_fits_a_screen() -> None:
    section = README.partition("## For a team\n")[2].partition("\n## ")[0]
    assert len([line for line in section.splitlines() if line]) <= 20


def test_ci_runs_the_test_command_and_nothing_else() -> None:
    script = [
        line
        for line in (ROOT / ".ci" / "run").read_text().splitlines()
        if line and not line.startswith(("#", "set ", "cd "))
    ]
    assert script == ["pip install uv && uv run --group dev pytest"]
    assert script[0] in README
    assert "pip install uv && uv run parley" in README


def test_the_product_is_installed_without_what_tests_need() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert settings["tool"]["uv"]["default-groups"] == []


@pytest.mark.campaign
def test_only_what_tests_need_asks_for_a_group() -> None:
    files = [
        file
        for folder in ("app", "docs", "tests", "deploy")
        for file in (ROOT / folder).rglob("*")
        if file.suffix in (".md", ".py", ".yaml")
    ]
    started = {
        (file.relative_to(ROOT).as_posix(), " ".join(first.split()))
        for file in (*files, ROOT / "README.md", ROOT / "SECURITY.md", ROOT / "pyproject.toml")
        for first in re.findall(r"\buv run\s+(--group\s+dev|--[\w-]+|[\w.]+)", file.read_text())
    }
    assert [one for one in started if one[1] not in ("parley", "--group dev", "--all-groups")] == []


def test_it_names_every_folder_of_the_service() -> None:
    folders = {path.name for path in (ROOT / "app" / "service").iterdir() if path.is_dir()}
    missing = [name for name in folders if not name.startswith("__") and f"{name}/" not in README]
    assert not missing
