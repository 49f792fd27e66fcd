"""The material that may lie beside the repository: real purchases and documents with their truth."""

from pathlib import Path

import pytest

SHARED = Path(__file__).parents[2] / "shared"


def shared(path: str) -> Path:
    """A file or folder of it; the test is skipped, with the reason, where it is absent."""
    found = SHARED / path
    if not found.exists():
        pytest.skip(f"../shared/{path} is not there")
    return found
