"""Starting a deployment: which database it takes, and what it refuses in one line."""

import socket
import subprocess
import sys
from pathlib import Path

import pytest
import sqlalchemy as sa
from cryptography.fernet import Fernet

from app.commands.session import working_context
from app.service.background.worker_slot import sqlite_worker_slot
from app.service.database.schema import OutdatedSchema, current_revision, newest_revision
from app.settings import Settings
from tests.commands.conftest import Parley


def age(folder: Path) -> None:
    """Leaves the database in `folder` as an older version would."""
    with (
        working_context(Settings(data_dir=folder)) as context,
        context.database.writing() as connection,
    ):
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '0000'"))


@pytest.mark.campaign
@pytest.mark.parametrize("command", [["serve", "--port", "0"], ["work"], ["keys", "list"]])
def test_an_old_database_is_refused_in_one_line(parley: Parley, tmp_path: Path, command: list[str]) -> None:
    parley("migrate")
    age(tmp_path / "data")
    assert "run `parley migrate`" in parley(*command).refusal


def test_a_folder_without_a_database_gets_one(tmp_path: Path) -> None:
    with working_context(Settings(data_dir=tmp_path / "new")) as context:
        assert current_revision(context.database) == newest_revision()


def test_only_a_start_of_the_whole_brings_an_old_database_up(parley: Parley, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    parley("migrate")
    age(folder)
    with pytest.raises(OutdatedSchema), working_context(Settings(data_dir=folder)):
        pass


@pytest.mark.campaign
def test_a_second_worker_of_a_file_is_refused_in_one_line(parley: Parley, tmp_path: Path) -> None:
    parley("migrate")
    settings = Settings(data_dir=tmp_path / "data")
    with sqlite_worker_slot(settings.resolved_database_url):
        work = [sys.executable, "-m", "app.cli", "work", "--data-dir", str(settings.data_dir)]
        ended = subprocess.run(work, check=False, capture_output=True, text=True, timeout=120)
    assert ended.returncode == 1
    assert ended.stderr == "parley: a worker is running on this database already\n"


def test_a_port_in_use_is_named(parley: Parley) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert f"port {port}" in parley("serve", "--port", str(port)).refusal
        assert f"port {port}" in parley("--no-browser", "--port", str(port)).refusal


def test_a_port_that_is_none_is_named(parley: Parley) -> None:
    assert parley("serve", "--port", "70000").refusal == "parley: 70000 is no port"


def test_a_setting_that_cannot_be_read_is_named(parley: Parley, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARLEY_RATE_LIMIT", "many")
    assert "rate_limit" in parley("keys", "list").refusal
    monkeypatch.delenv("PARLEY_RATE_LIMIT")
    monkeypatch.setenv("PARLEY_CORS_ORIGINS", "https://app.example.com, https://app.example.com/")
    refusal = parley("serve").refusal
    assert "cors_origins" in refusal
    assert "'https://app.example.com/' is no origin; write each as browsers send it" in refusal
    monkeypatch.delenv("PARLEY_CORS_ORIGINS")
    monkeypatch.setenv("PARLEY_DEPLOYMENTS", "parley.example.com")
    refusal = parley("dashboard").refusal
    assert "deployments" in refusal
    assert "the base address must be like https://parley.example.com" in refusal


@pytest.mark.parametrize(
    "url", ["postgresql://nobody@127.0.0.1:1/none", "mysql://here/there", "no address"], ids=str
)
def test_a_database_that_cannot_be_used_is_one_line(parley: Parley, url: str) -> None:
    assert parley("migrate", "--database-url", url).refusal.startswith("parley: ")


@pytest.mark.parametrize("command", ["serve", "work", "dashboard"])
def test_postgresql_without_a_secret_key_is_refused_before_anything_is_made(
    parley: Parley, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://nobody@127.0.0.1:1/none")
    refusal = parley(command).refusal
    assert "every process needs the same PARLEY_SECRET_KEY; make one with" in refusal
    assert not (tmp_path / "data").exists()
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "secret.key").write_text("made before")
    assert f"so far it is the content of {tmp_path / 'data' / 'secret.key'}" in parley(command).refusal
    monkeypatch.setenv("PARLEY_SECRET_KEY", Fernet.generate_key().decode())
    if command != "dashboard":
        assert "PARLEY_SECRET_KEY" not in parley(command).refusal


def test_a_data_folder_that_is_a_file_is_one_line(parley: Parley, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    assert str(file) in parley("migrate", "--data-dir", file).refusal
