"""The bill of materials names what is installed, with its licence."""

import json
from pathlib import Path

import pytest

from app.commands.sbom import UNKNOWN
from tests.commands.conftest import Parley
from tests.flows.deployment import free_port
from tests.service.webhooks.receivers import serving, status


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
    assert len([line for line in lines if line.endswith(UNKNOWN)]) < len(lines) / 20


@pytest.mark.campaign
def test_known_vulnerabilities_are_named_with_their_packages(parley: Parley) -> None:
    packages = [line.partition(":")[0] for line in parley("sbom", "--licences").out.splitlines()]
    results: list[dict[str, object]] = [{} for _ in packages]
    results[1] = {"vulns": [{"id": "GHSA-1"}, {"id": "GHSA-2"}]}
    with serving(status(200, body=json.dumps({"results": results}))) as osv:
        ended = parley("sbom", "--vulnerabilities", "--osv", osv.url)
    assert ended.status == 1
    assert ended.out.splitlines()[:2] == [
        f"{packages[1]}: {osv.url}/v1/vulns/{one}" for one in ("GHSA-1", "GHSA-2")
    ]
    asked = json.loads(osv.received[0].body)["queries"]
    assert [one["package"]["purl"].rpartition("/")[2].replace("@", " ") for one in asked] == packages


@pytest.mark.campaign
@pytest.mark.parametrize("answer", ["nothing", '{"results": [{"vulns": 3}]}', '{"results": []}', "[]"])
def test_an_osv_that_cannot_be_asked_is_one_line_and_no_all_clear(parley: Parley, answer: str) -> None:
    with serving(status(200, body=answer)) as osv:
        refusal = parley("sbom", "--vulnerabilities", "--osv", osv.url).refusal
    assert osv.url in refusal


def test_without_a_network_osv_is_one_line(parley: Parley) -> None:
    address = f"http://127.0.0.1:{free_port()}"
    assert address in parley("sbom", "--vulnerabilities", "--osv", address).refusal
