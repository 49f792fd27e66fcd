"""Restores on PostgreSQL that are killed, of an older revision, and with files in an S3-compatible store."""

import os
import resource
import subprocess
import sys
import time
from pathlib import Path

import psycopg
import pytest
import sqlalchemy as sa
from sqlalchemy.engine import make_url

from app.service.backup.manifest import BackupFault
from app.service.context import Context, open_context
from app.service.database.migrations.former_versions import FORMER
from app.service.doctor import Level, examine
from app.service.ids import new_id
from app.service.start_checks import OtherDeployment, require_ready, require_whole_restore
from app.settings import Settings
from tests.service.backup.test_postgresql import (
    back_up,
    elsewhere,
    fill,
    original,
    programs,
    restore_into,
    upload,
)
from tests.service.conftest import VAULT_KEY
from tests.service.storage.seaweed import BUCKET, Seaweed
from tests.service.storage.stores import seaweed, seaweed_server

__all__ = ["elsewhere", "original", "programs", "seaweed", "seaweed_server"]

pytestmark = pytest.mark.campaign


def test_a_restore_that_is_killed_is_told_and_done_again(
    original: Settings, elsewhere: Settings, tmp_path: Path
) -> None:
    """Killed at any moment it leaves the database that was there or one that nobody starts on, and nothing of
    the backup beside it."""
    key = fill(original)
    archive = back_up(original, tmp_path / "monday.tar")
    restore_into(elsewhere, archive)
    (tmp_path / "tmp").mkdir()
    script = "import sys; from app.cli import main; sys.exit(main())"
    command = [sys.executable, "-c", script, "restore", str(archive), "--replace"]
    environment = {
        **os.environ,
        "DATABASE_URL": str(elsewhere.database_url),
        "PARLEY_DATA_DIR": str(elsewhere.data_dir),
        "PARLEY_SECRET_KEY": VAULT_KEY,
        "TMPDIR": str(tmp_path / "tmp"),
    }
    begun = time.monotonic()
    subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True)
    seconds = time.monotonic() - begun
    told = False
    for share in (0.2, 0.4, 0.6, 0.8, None):
        process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
        if share is None:
            wait_until_replaced(elsewhere.database_url)
        else:
            time.sleep(share * seconds)
        process.kill()
        process.wait()
        assert list((tmp_path / "tmp").iterdir()) == []
        context = open_context(elsewhere)
        try:
            told = is_unfinished(context)
        finally:
            context.close()
        wait_for_sessions(elsewhere.database_url)
        restore_into(elsewhere, archive, replace=True)
        upload(elsewhere, key)
    assert told, "the last one was killed between the tables and what belongs to them"


def is_unfinished(context: Context) -> bool:
    try:
        require_whole_restore(context)
    except OtherDeployment:
        return True
    require_ready(context)  # it is the one that was there, or the restored one
    return False


def wait_until_replaced(url: str | None) -> None:
    """Until the program that replaces the tables of a database has come and gone. Asked in another database:
    nobody else may use this one meanwhile."""
    address = make_url(str(url))
    sessions = (
        "SELECT count(*) FROM pg_stat_activity WHERE datname = %s AND application_name = 'parley-backup'"
    )
    begun, deadline = False, time.monotonic() + 120
    maintenance = address.set(database="postgres").render_as_string(hide_password=False)
    with psycopg.connect(maintenance, autocommit=True) as connection:
        while True:
            assert time.monotonic() < deadline
            there = connection.execute(sessions, [address.database]).fetchone() != (0,)
            if begun and not there:
                return
            begun = begun or there


def wait_for_sessions(url: str | None) -> None:
    """What a killed process has begun ends by itself."""
    others = (
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    deadline = time.monotonic() + 10
    with psycopg.connect(str(url), autocommit=True) as connection:
        while connection.execute(others).fetchone() != (0,):
            assert time.monotonic() < deadline
            time.sleep(0.05)


def test_a_dump_that_no_disk_takes_is_told_with_its_folder(original: Settings, tmp_path: Path) -> None:
    key = fill(original)
    archive = back_up(original, tmp_path / "monday.tar")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, limits[1]))
    try:
        with pytest.raises(BackupFault, match=r"File too large; set TMPDIR"):
            restore_into(original, archive, replace=True)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    upload(original, key)


def test_files_in_a_store_and_an_older_revision(
    original: Settings, elsewhere: Settings, tmp_path: Path, seaweed: Seaweed
) -> None:
    assert seaweed.process
    stores = [f"s3://{BUCKET}/{new_id()}" for _ in range(2)]
    original, elsewhere = (
        settings.model_copy(update={"files_url": url})
        for settings, url in zip((original, elsewhere), stores, strict=True)
    )
    key = fill(original)
    older = go_back(original)
    archive = back_up(original, tmp_path / "monday.tar")
    restored = restore_into(elsewhere, archive)
    assert (restored.files, restored.migrated_from) == (1, older)
    upload(elsewhere, key)
    context = open_context(elsewhere)
    try:
        found = {one.name: one.level for one in examine(context, deep=True)}
    finally:
        context.close()
    assert found["files"] is found["schema"] is found["secrets"] is Level.OK


def go_back(settings: Settings) -> str:
    """Make the database one of a version before 0.3.0, whose tables are made anew; return its revision."""
    context = open_context(settings)
    try:
        with context.database.writing() as connection:
            connection.execute(sa.text("UPDATE alembic_version SET version_num = :it"), {"it": FORMER[-1]})
            connection.execute(sa.text("DROP TABLE company_gram, entry_count, common_word, schema_support"))
            connection.execute(sa.text("ALTER TABLE letter RENAME TO negotiation_mail"))
            connection.execute(sa.text("ALTER TABLE negotiation_mail ADD COLUMN negotiation_id TEXT"))
        return FORMER[-1]
    finally:
        context.close()
