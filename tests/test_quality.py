"""Format, lint, types and layers: what the repository asks of itself."""

import re
import subprocess
import sys
from collections.abc import Iterator
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
MAX_LINES = 600


def _passes(*command: str) -> None:
    done = subprocess.run(
        [SCRIPTS / command[0], *command[1:]], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def _list_code() -> Iterator[Path]:
    for folder in ("app", "pages", "components"):
        yield from (ROOT / folder).rglob("*.py")


def test_the_code_is_formatted() -> None:
    _passes("ruff", "format", "--check", ".")


def test_the_linter_finds_nothing() -> None:
    _passes("ruff", "check", ".")


def test_nobody_imports_a_private_name_of_ours() -> None:
    private = [
        f"{path.relative_to(ROOT)}: {found[0]}"
        for path in _list_code()
        for found in re.finditer(
            r"^ *from (?:app|pages|components|\.).* import (?:\([^)]*\)|.*)", path.read_text(), re.M
        )
        if re.search(r"\b_(?!_)\w", found[0].partition(" import ")[2])
    ]
    assert not private, "what others use has a public name: " + ", ".join(private)


def test_the_types_are_right() -> None:
    _passes("pyrefly", "check")


@pytest.mark.campaign
@pytest.mark.timeout(600)
def test_a_second_checker_finds_the_types_right_those_of_the_tests_too() -> None:
    _passes("pyright")


def test_nobody_imports_across_the_layers() -> None:
    _passes("lint-imports", "--no-cache")


def test_the_tests_and_the_code_stay_in_files_that_can_be_read() -> None:
    long = [
        f"{path.relative_to(ROOT)}: {lines}"
        for path in _list_code()
        if "versions" not in path.parts  # a migration is a list of what it makes, not a text to follow
        and (lines := len(path.read_text().splitlines())) > MAX_LINES
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
