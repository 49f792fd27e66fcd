"""README and settings are true: their paths exist, commands are commands, settings are all of them."""

import re
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
    assert script == ["pip install uv && uv run pytest"]
    assert "pip install uv && uv run pytest" in README
    assert "pip install uv && uv run parley" in README


def test_it_names_every_folder_of_the_service() -> None:
    folders = {path.name for path in (ROOT / "app" / "service").iterdir() if path.is_dir()}
    missing = [name for name in folders if not name.startswith("__") and f"{name}/" not in README]
    assert not missing
