"""API keys from the command line: made, listed, revoked, and never shown twice."""

import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from app.service.context import open_context
from app.service.main import create_service
from app.settings import Settings
from tests.commands.conftest import Parley
from tests.service.running_service import add_member


def status_with(key: str, folder: Path, method: str = "GET", path: str = "/v1/catalog/categories") -> int:
    """What the service on that folder answers to the key."""
    with TestClient(create_service(Settings(data_dir=folder))) as api:
        return api.request(method, path, headers={"Authorization": f"Bearer {key}"}).status_code


@pytest.mark.campaign
def test_the_last_line_is_a_key_that_opens_the_service(parley: Parley, tmp_path: Path) -> None:
    made = parley("keys", "create", "--name", "script")
    assert made.status == 0
    assert status_with(made.out.splitlines()[-1], tmp_path / "data") == 200


@pytest.mark.campaign
def test_a_read_only_key_reads_and_does_not_write(parley: Parley, tmp_path: Path) -> None:
    key = parley("keys", "create", "--name", "viewer", "--role", "reader").out.split()[-1]
    assert status_with(key, tmp_path / "data") == 200
    assert status_with(key, tmp_path / "data", "POST", "/v1/scope") == 403


@pytest.mark.campaign
def test_the_list_names_each_key_and_shows_none(parley: Parley) -> None:
    key = parley("keys", "create", "--name", "script", "--organisation", "Acme").out.split()[-1]
    listed = parley("keys", "list").out
    assert "Acme" in listed
    assert "script" in listed
    assert key not in listed


def test_a_revoked_key_opens_nothing(parley: Parley, tmp_path: Path) -> None:
    made = parley("keys", "create", "--name", "script")
    [key_id] = re.findall(r"Key (\S+) of", made.err)
    assert parley("keys", "revoke", key_id).status == 0
    assert status_with(made.out.split()[-1], tmp_path / "data") == 401
    assert "Revoked" in parley("keys", "list").out
    assert key_id in parley("keys", "revoke", key_id).refusal
    owner = parley("keys", "create", "--name", "auditor").out.split()[-1]
    with TestClient(create_service(Settings(data_dir=tmp_path / "data"))) as api:
        log = api.get("/v1/audit", headers={"Authorization": f"Bearer {owner}"}).json()["data"]
    assert [(one["action"], one["object"]["name"]) for one in log] == [
        *(("keys.create", "auditor"), ("keys.revoke", "script"), ("keys.create", "script")),
    ]
    assert {one["actor"]["kind"] for one in log} == {"command"}
    assert "id" not in log[0]["actor"]


def test_a_name_of_nothing_is_refused_in_one_line(parley: Parley) -> None:
    assert "may not be empty" in parley("keys", "create", "--name", "  ").refusal


def test_a_key_for_some_days_and_networks_is_refused_elsewhere(parley: Parley, tmp_path: Path) -> None:
    made = parley("keys", "create", "--name", "script", "--days", "7", "--network", "192.0.2.0/24")
    assert status_with(made.out.splitlines()[-1], tmp_path / "data") == 403
    assert "192.0.2.0/24" in parley("keys", "list").out
    assert "nowhere" in parley("keys", "create", "--name", "k", "--network", "nowhere").refusal


def test_the_operator_exports_and_erases_a_person(parley: Parley, tmp_path: Path) -> None:
    parley("keys", "create", "--name", "Bea Buyer")
    assert "no account" in parley("people", "export", "nobody").refusal
    context = open_context(Settings(data_dir=tmp_path / "data"))
    person = add_member(context, "Default", "Bea Buyer")
    context.close()
    assert '"place": "api_key"' in parley("people", "export", person).out
    assert "--yes" in parley("people", "erase", person).refusal
    assert parley("people", "erase", person, "--yes").status == 0
    assert "Bea" not in parley("keys", "list").out
    assert "Erased person" in parley("people", "export", person).out
