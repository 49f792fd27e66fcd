"""The programs of the recipes, as they stand on their pages, and how they are run."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.flows.deployment import ROOT

SECONDS = 300


def extract_program(page: str, language: str, number: int = 0) -> str:
    """The block of a page of `docs` in that language, the first one unless another is asked for."""
    text = (ROOT / "docs" / page).read_text()
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)[number]


def require(*programs: str) -> None:
    """Skips the test where one of the programs is not installed."""
    for program in programs:
        if shutil.which(program) is None:
            pytest.skip(f"no {program} on this machine")


def run_program(
    command: list[str], folder: Path, variables: dict[str, str] | None = None, *, status: int = 0
) -> str:
    """What the program prints, which must end with this status."""
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, **(variables or {})},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout
