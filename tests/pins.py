"""Writes the whole resolved set into `[tool.uv] constraint-dependencies`.

    uv run --group dev python -m tests.pins

`uv lock --upgrade` first brings it up to date. The lock file itself names registry addresses and stays out of
the repository; with every version constrained, resolving gives the same set anywhere.
"""

import re
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent


def pins(lock: dict[str, Any], own: str) -> list[str]:
    """A requirement for each locked version; where versions differ by platform or Python, with markers."""
    lines: list[str] = []
    for package in lock["package"]:
        if package["name"] == own:
            continue
        pin = f"{package['name']}=={package['version']}"
        markers = package.get("resolution-markers", [])
        lines.append(f"{pin} ; {' or '.join(f'({marker})' for marker in markers)}" if markers else pin)
    return sorted(lines)


def with_pins(pyproject: str, lines: list[str]) -> str:
    """The text of pyproject.toml with the block replaced."""
    block = "constraint-dependencies = [\n" + "".join(f'    "{line}",\n' for line in lines) + "]"
    written, count = re.subn(
        r"^constraint-dependencies = \[.*?\]$", lambda _: block, pyproject, flags=re.M | re.S
    )
    if count != 1:
        raise SystemExit("pyproject.toml has no constraint-dependencies block")
    return written


def main() -> None:
    pyproject = ROOT / "pyproject.toml"
    lock = tomllib.loads((ROOT / "uv.lock").read_text())
    text = pyproject.read_text()
    pyproject.write_text(with_pins(text, pins(lock, tomllib.loads(text)["project"]["name"])))


if __name__ == "__main__":
    main()
