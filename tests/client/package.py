"""The client as its users install it: its README's examples, and its wheel in an environment of its own."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
README = ROOT / "app" / "client" / "README.md"


def first_steps() -> list[str]:
    """The examples in Python of the client's README."""
    return re.findall(r"^```python\n(.*?)^```$", README.read_text(), re.MULTILINE | re.DOTALL)


class NoPackageIndex(Exception):
    """Packages cannot be installed here."""


def uv(*arguments: str | Path) -> str:
    """Run uv here, where it uses the versions that the repository pins, and return what it prints."""
    program = os.environ.get("UV") or shutil.which("uv")
    assert program, "the tests are started by uv"
    done = subprocess.run([program, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def install_client(folder: Path, *options: str) -> Path:
    """The Python of a new environment in which nothing but the client's wheel was installed, with these
    options of `uv pip install`."""
    python = folder / "environment" / ("Scripts" if os.name == "nt" else "bin") / "python"
    uv("venv", "--python", sys.executable, folder / "environment")
    try:
        uv("pip", "install", "--dry-run", "--python", python, "hatchling", "httpx", "pydantic")
    except AssertionError as refusal:
        raise NoPackageIndex(str(refusal)) from None
    # A source distribution, and the wheel that is built from it.
    uv("build", "--out-dir", folder / "dist", ROOT / "app")
    (wheel,) = (folder / "dist").glob("*.whl")
    uv("pip", "install", *options, "--python", python, wheel)
    return python


def installed_bytes(python: Path) -> int:
    """The size of all that is installed for this Python."""
    (packages,) = python.parents[1].rglob("site-packages")
    return sum(path.stat().st_size for path in packages.rglob("*") if path.is_file())
