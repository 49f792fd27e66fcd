"""Backup and restore on PostgreSQL, by the programs that come with a server, which must be here."""

import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import psycopg
import pytest
from cryptography.fernet import Fernet
from pydantic import SecretStr
from starlette.testclient import TestClient

from app.service.backup import restoring
from app.service.backup.archive import read_archive
from app.service.backup.making import make_backup
from app.service.backup.manifest import BackupFault
from app.service.backup.postgresql_database import PostgresqlTools, find_tools
from app.service.backup.restoring import Restored, restore
from app.service.context import Context, open_context
from app.service.database.schema import migrate
from app.service.doctor import Level, examine
from app.service.main import create_service
from app.service.start_checks import (
    SECRET_KEY,
    OtherDeployment,
    require_ready,
    require_same_deployment,
    require_whole_restore,
)
from app.settings import Settings
from tests.service.conftest import VAULT_KEY, key_for
from tests.service.postgres import fresh_database, packaged_binaries

QUOTE = b"description,quantity,unit price,amount\nAnalytics Suite,10,100.00,1000.00\n"


@pytest.fixture(autouse=True)
def programs(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = packaged_binaries()
    if shutil.which("pg_dump") is None and folder is not None:
        monkeypatch.setenv("PATH", str(folder), prepend=":")
    if shutil.which("pg_dump") is None:
        pytest.skip("no pg_dump: install postgresql-client")


@pytest.fixture
def original(postgres_server: str, tmp_path: Path) -> Iterator[Settings]:
    with fresh_database(postgres_server) as url:
        yield settings_for(url, tmp_path / "data")


@pytest.fixture
def elsewhere(postgres_server: str, tmp_path: Path) -> Iterator[Settings]:
    with fresh_database(postgres_server) as url:
        yield settings_for(url, tmp_path / "elsewhere")


def settings_for(url: str, folder: Path) -> Settings:
    return Settings(database_url=url, data_dir=folder, secret_key=SecretStr(VAULT_KEY))


def fill(settings: Settings) -> str:
    """A key, and a file that it uploaded."""
    context = open_context(settings)
    try:
        migrate(context.database)
        key = key_for(context)
        require_ready(context)
    finally:
        context.close()
    upload(settings, key)
    return key


def upload(settings: Settings, key: str) -> str:
    with TestClient(create_service(settings), headers={"Authorization": f"Bearer {key}"}) as api:
        answer = api.post("/v1/files/upload", files={"file": ("q.csv", QUOTE)})
        assert answer.status_code == 201
        return str(answer.json()["id"])


def back_up(settings: Settings, archive: Path) -> Path:
    context = open_context(settings)
    try:
        make_backup(context, archive)
    finally:
        context.close()
    return archive


def restore_into(settings: Settings, archive: Path, *, replace: bool = False) -> Restored:
    context = open_context(settings)
    try:
        with read_archive(archive) as opened:
            return restore(context, opened, replace=replace, without_secrets=False)
    finally:
        context.close()


def tables(url: str | None) -> set[str]:
    with psycopg.connect(str(url)) as connection:
        return {
            name
            for (name,) in connection.execute("SELECT tablename FROM pg_tables WHERE schemaname='public'")
        }


def test_there_and_back(original: Settings, elsewhere: Settings, tmp_path: Path) -> None:
    key = fill(original)
    archive = back_up(original, tmp_path / "monday.tar")
    assert restore_into(elsewhere, archive).files == 1
    assert tables(elsewhere.database_url) == tables(original.database_url)
    upload(elsewhere, key)
    with pytest.raises(BackupFault, match="--replace"):
        restore_into(elsewhere, archive)
    # A table of a newer version goes as well.
    with psycopg.connect(str(elsewhere.database_url), autocommit=True) as connection:
        connection.execute("CREATE TABLE later (id int)")
        with pytest.raises(BackupFault, match="in use by 1 other sessions"):
            restore_into(elsewhere, archive, replace=True)
    restore_into(elsewhere, archive, replace=True)
    assert tables(elsewhere.database_url) == tables(original.database_url)


@pytest.mark.campaign
def test_a_load_that_fails_leaves_the_database(
    original: Settings, elsewhere: Settings, tmp_path: Path
) -> None:
    fill(original)
    key = fill(elsewhere)
    dump = tmp_path / "database.dump"
    archive = back_up(original, tmp_path / "monday.tar")
    with read_archive(archive) as opened, opened.open_database() as content:
        whole = content.read()
    dump.write_bytes(whole[: len(whole) * 3 // 4])
    with pytest.raises(BackupFault, match="cannot be restored"), dump.open("rb") as cut:
        find_tools(elsewhere.resolved_database_url, 10).load(cut)
    upload(elsewhere, key)


@pytest.mark.campaign
@pytest.mark.parametrize("step", ["_unpack_database", "_restore_files", "load"])
def test_whoever_begins_meanwhile_keeps_the_database(
    original: Settings, elsewhere: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    key = fill(elsewhere)
    fill(original)
    archive = back_up(original, tmp_path / "monday.tar")
    owner: Any = PostgresqlTools if step == "load" else restoring
    follow = getattr(owner, step)
    with ExitStack() as stack:

        def begin(*arguments: Any) -> Any:
            stack.enter_context(psycopg.connect(str(elsewhere.database_url)))
            return follow(*arguments)

        monkeypatch.setattr(owner, step, begin)
        with pytest.raises(BackupFault, match=r"in use by 1 other|another session has begun"):
            restore_into(elsewhere, archive, replace=True)
    upload(elsewhere, key)


def test_an_older_key_of_several_stays_that_of_the_database(
    original: Settings, elsewhere: Settings, tmp_path: Path
) -> None:
    fill(original)
    archive = back_up(original, tmp_path / "monday.tar")
    new = Fernet.generate_key().decode()
    rotating = {"secret_key": SecretStr(f"{new},{VAULT_KEY}")}
    restore_into(elsewhere.model_copy(update=rotating), archive)
    context = open_context(elsewhere.model_copy(update={"secret_key": SecretStr(new)}))
    try:
        with pytest.raises(OtherDeployment, match="not the one that this database's secrets are sealed with"):
            require_ready(context)
    finally:
        context.close()


def test_an_unsettled_database_is_started_by_nobody(original: Settings, tmp_path: Path) -> None:
    key = fill(original)
    archive = back_up(original, tmp_path / "monday.tar")
    dump = tmp_path / "database.dump"
    with read_archive(archive) as opened, opened.open_database() as content:
        dump.write_bytes(content.read())
    with dump.open("rb") as content:
        find_tools(original.resolved_database_url, 10).load(content)
    context = open_context(original)
    try:
        for start in (require_ready, require_whole_restore, accept_its_key):
            with pytest.raises(OtherDeployment, match=r"was ended in its middle.*`parley restore FILE"):
                start(context)
        [failed] = (one for one in examine(context, deep=False) if one.level is Level.FAIL)
        assert failed.name == "restore"
    finally:
        context.close()
    restore_into(original, archive, replace=True)
    upload(original, key)


def accept_its_key(context: Context) -> None:
    require_same_deployment(context, accept=[SECRET_KEY])


def test_programs_older_than_the_server_are_refused_by_name() -> None:
    with pytest.raises(BackupFault, match="install postgresql-client-99"):
        find_tools("postgresql://nobody@127.0.0.1:1/none", 99)
