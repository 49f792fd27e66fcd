"""Format, lint, types and layers: what the repository asks of itself."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SCRIPTS = Path(sys.executable).parent
TOOLS = ("benchmarks", "reader_training")
SHARED_OF_TOOLS = {
    "reader_training.generated", "reader_training.generator",
    "benchmarks.delivery_worker", "benchmarks.generated_purchases", "benchmarks.server",
}  # fmt: skip
"""The modules of tools that tests may import: generated documents and purchases, and running processes."""


def _passes(*command: str) -> None:
    done = subprocess.run(
        [SCRIPTS / command[0], *command[1:]], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_code_is_formatted() -> None:
    _passes("ruff", "format", "--check", ".")


def test_the_linter_finds_nothing() -> None:
    _passes("ruff", "check", ".")


@pytest.mark.timeout(600)
def test_the_types_are_right() -> None:
    _passes("pyright", "app", "pages", "components")


@pytest.mark.campaign
@pytest.mark.timeout(600)
def test_the_types_of_the_tests_are_right() -> None:
    _passes("pyright")


def test_nobody_imports_across_the_layers() -> None:
    _passes("lint-imports", "--no-cache")


def test_the_tests_and_the_code_stay_in_files_that_can_be_read() -> None:
    long = [
        f"{path.relative_to(ROOT)}: {lines}"
        for folder in ("app", "pages", "components")
        for path in (ROOT / folder).rglob("*.py")
        if "versions" not in path.parts  # a migration is a list of what it makes, not a text to follow
        and (lines := len(path.read_text().splitlines())) > 400
    ]
    assert not long, "split these: " + ", ".join(long)


def test_tests_import_of_the_tools_what_is_made_for_them() -> None:
    imported = {
        name
        for path in (ROOT / "tests").rglob("*.py")
        if path.relative_to(ROOT / "tests").parts[0] not in TOOLS
        for name in re.findall(
            rf"^\s*from tests\.((?:{'|'.join(TOOLS)})[\w.]*) import", path.read_text(), re.M
        )
    }
    assert imported == SHARED_OF_TOOLS
