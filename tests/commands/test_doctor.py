"""The doctor changes nothing, finds what is wrong, and ends with 1 where something fails."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from cryptography.fernet import Fernet

from tests.commands.conftest import Parley
from tests.service.openid.small_provider import small_provider

FILE = "01a20714-6cb8-77fd-bf97-0a25d9b1d057"


@pytest.fixture
def folder(parley: Parley, tmp_path: Path) -> Path:
    """A data folder with one file and its row."""
    parley("keys", "create", "--name", "script")
    folder = tmp_path / "data"
    run(
        folder,
        "INSERT INTO file (id, organisation_id, filename, media_type, size, sha256, created_at)"
        f" SELECT '{FILE}', id, 'a.csv', 'text/csv', 5,"
        " '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824', created_at FROM organisation",
    )
    path(folder).parent.mkdir(parents=True)
    path(folder).write_bytes(b"hello")
    return folder


def path(folder: Path) -> Path:
    return folder / "files" / FILE[-2:] / FILE


def run(folder: Path, statement: str) -> None:
    with closing(sqlite3.connect(folder / "parley.sqlite3")) as database, database:
        database.execute(statement)


def findings(parley: Parley, *options: str) -> tuple[int, dict[str, tuple[str, str]]]:
    """The status, and the worst level with its message by name."""
    ended = parley("doctor", "--json", *options)
    found: list[dict[str, Any]] = json.loads(ended.out)["findings"]
    order = ["ok", "warn", "fail"]
    found.sort(key=lambda one: order.index(one["level"]))
    return ended.status, {one["name"]: (one["level"], one["message"]) for one in found}


@pytest.mark.campaign
def test_a_sound_deployment_passes_and_stays_as_it_is(parley: Parley, folder: Path) -> None:
    names = sorted(folder.rglob("*"))
    key = (folder / "secret.key").read_bytes()
    status, found = findings(parley, "--deep")
    assert status == 0
    assert found["files"] == ("ok", "1 files are verified by SHA-256.")
    assert found["integrity"][0] == found["schema"][0] == found["secrets"][0] == "ok"
    assert found["workers"] == ("warn", "No worker runs.")
    beside = {"-wal", "-shm"}
    assert {one for one in folder.rglob("*") if one.name[-4:] not in beside} == {
        one for one in names if one.name[-4:] not in beside
    }
    assert (folder / "secret.key").read_bytes() == key


def test_a_file_without_bytes_fails(parley: Parley, folder: Path) -> None:
    path(folder).unlink()
    status, found = findings(parley)
    assert status == 1
    assert found["files"] == ("fail", f"1 files are gone: {FILE}.")


def test_other_bytes_of_the_same_size_are_found_when_they_are_read(parley: Parley, folder: Path) -> None:
    path(folder).write_bytes(b"jello")
    assert findings(parley)[1]["files"][0] == "ok"
    status, found = findings(parley, "--deep")
    assert (status, found["files"][0]) == (1, "fail")
    assert "other bytes" in found["files"][1]


def test_a_file_without_a_row_is_told(parley: Parley, folder: Path) -> None:
    run(folder, "DELETE FROM file")
    status, found = findings(parley)
    assert (status, found["files"]) == (0, ("warn", f"1 files belong to no row: {FILE}."))


def test_secrets_that_no_key_opens_fail(parley: Parley, folder: Path) -> None:
    run(
        folder,
        "INSERT INTO webhook (id, organisation_id, url, events, secret, enabled, created_at)"
        " SELECT 'hook', id, 'https://a.example', '[]', X'00', 1, created_at FROM organisation",
    )
    assert findings(parley)[1]["secrets"] == ("fail", "No key opens 1 secrets of webhooks.")
    (folder / "secret.key").write_bytes(Fernet.generate_key())
    assert "not the one" in findings(parley)[1]["secret key"][1]
    (folder / "secret.key").unlink()
    status, found = findings(parley)
    assert (status, found["secret key"][0]) == (1, "fail")
    assert not (folder / "secret.key").exists()


@pytest.mark.campaign
def test_work_that_nobody_does_fails(parley: Parley, folder: Path) -> None:
    run(
        folder,
        "INSERT INTO task (kind, subject_id, created_at, due_at, attempts)"
        " SELECT 'recount', '', created_at, created_at, 0 FROM organisation",
    )
    assert findings(parley)[1]["workers"][0] == "fail"


def test_a_damaged_database_fails(parley: Parley, folder: Path) -> None:
    with closing(sqlite3.connect(folder / "parley.sqlite3", isolation_level=None)) as database:
        database.execute("PRAGMA journal_mode=DELETE")
        [(page,)] = database.execute("SELECT rootpage FROM sqlite_master WHERE name = 'organisation'")
        [(size,)] = database.execute("PRAGMA page_size")
    with (folder / "parley.sqlite3").open("rb+") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)
    status, found = findings(parley)
    assert status == 1
    assert "fail" in {level for level, _ in found.values()}


def test_a_folder_without_a_database_is_not_made(parley: Parley, tmp_path: Path) -> None:
    status, found = findings(parley)
    assert (status, found["database"][0]) == (1, "fail")
    assert not (tmp_path / "data").exists()


def test_a_mail_server_that_is_away_is_told(
    parley: Parley, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert folder.exists()
    monkeypatch.setenv("PARLEY_SMTP_URL", "smtp://127.0.0.1:1")
    assert findings(parley)[1]["mail"][0] == "fail"


def test_an_identity_provider_is_examined(
    parley: Parley, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert folder.exists()
    with small_provider() as provider:
        monkeypatch.setenv("PARLEY_OIDC_ISSUER", provider.issuer)
        monkeypatch.setenv("PARLEY_OIDC_CLIENT_ID", "parley")
        assert findings(parley)[1]["roles"] == ("warn", "People may sign in, and nobody is let in.")
        monkeypatch.setenv("PARLEY_OIDC_ROLES", "buyers=buyer@Default; all=reader@Defualt")
        status, found = findings(parley)
        assert status == 0
        assert found["identity provider"] == ("ok", f"{provider.issuer} answers, with 1 keys.")
        assert found["roles"][0] == "warn"
        assert found["roles"][1].endswith("not there: Defualt.")
        provider.listed_keys = []
        assert "lists no key" in findings(parley)[1]["identity provider"][1]
        provider.stated["jwks_uri"] = f"{provider.issuer}/nowhere"
        assert findings(parley)[1]["identity provider"][0] == "fail"
