"""The bill of materials names what is installed, with its licence."""

import json
from pathlib import Path

from tests.commands.conftest import Parley


def test_every_package_is_named_with_version_and_licence(parley: Parley, tmp_path: Path) -> None:
    file = tmp_path / "sbom.json"
    assert parley("sbom", "--output", file).status == 0
    bill = json.loads(file.read_text())
    assert (bill["bomFormat"], bill["specVersion"], bill["metadata"]["component"]["name"]) == (
        "CycloneDX",
        "1.6",
        "parley",
    )
    named = {one["name"]: one for one in bill["components"]}
    assert len(named) == len(bill["components"])
    assert named["fastapi"]["purl"] == f"pkg:pypi/fastapi@{named['fastapi']['version']}"
    assert named["fastapi"]["licenses"] in ([{"expression": "MIT"}], [{"license": {"name": "MIT License"}}])
    assert "pydantic-core" in named
    assert "parley" not in named


def test_the_licences_are_listed_and_few_are_not_stated(parley: Parley) -> None:
    lines = parley("sbom", "--licences").out.splitlines()
    assert len([line for line in lines if line.endswith("not stated")]) < len(lines) / 20
