"""Backup and restore on SQLite: all is there again, and what is not whole or not ours is refused."""

import hashlib
import io
import json
import os
import shutil
import sqlite3
import stat
import tarfile
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import pytest
from cryptography.fernet import Fernet
from starlette.testclient import TestClient

from app.service.backup.encryption import PIECE, SEALED_PIECE, DecryptingFile, EncryptingFile
from app.service.backup.making import make_backup
from app.service.backup.manifest import BackupFault
from app.service.context import open_context
from app.service.main import create_service
from app.service.storage.file_storage import FileSavedBefore
from app.service.storage.s3 import S3Storage
from app.settings import Settings
from tests.commands.conftest import Parley
from tests.service.conftest import key_for
from tests.service.migrated_database import provide_schema
from tests.service.storage.seaweed import BUCKET, Seaweed
from tests.service.storage.stores import seaweed, seaweed_server

__all__ = ["seaweed", "seaweed_server"]

QUOTE = b"description,quantity,unit price,amount\nAnalytics Suite,10,100.00,1000.00\n"
HOOK = {"url": "https://buyer.example/hook", "events": ["scope.extracted"]}


@dataclass(frozen=True)
class Original:
    """A data folder with a key, a file and a webhook, and a backup of it."""

    folder: Path
    archive: Path
    key: str


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Original:
    place = tmp_path_factory.mktemp("original")
    settings = Settings(data_dir=place / "data")
    context = open_context(settings)
    try:
        provide_schema(context.database)
        key = key_for(context)
        with service(settings.data_dir, key) as api:
            assert api.post("/v1/files/upload", files={"file": ("q.csv", QUOTE)}).status_code == 201
            assert api.post("/v1/webhooks", json=HOOK).status_code == 201
        make_backup(context, place / "monday.tar")
    finally:
        context.close()
    return Original(settings.data_dir, place / "monday.tar", key)


def service(folder: Path, key: str) -> TestClient:
    return TestClient(create_service(Settings(data_dir=folder)), headers={"Authorization": f"Bearer {key}"})


@pytest.fixture
def folder(original: Original, tmp_path: Path) -> Path:
    """A copy of the data folder, the one of `parley`."""
    return shutil.copytree(original.folder, tmp_path / "data")


@pytest.fixture
def archive(original: Original, tmp_path: Path) -> Path:
    return Path(shutil.copy(original.archive, tmp_path / "monday.tar"))


@pytest.fixture
def elsewhere(original: Original, tmp_path: Path) -> Path:
    """Another data folder, which has nothing but the deployment's key."""
    other = tmp_path / "elsewhere"
    other.mkdir()
    (other / "secret.key").write_bytes((original.folder / "secret.key").read_bytes())
    return other


def refusal(parley: Parley, archive: Path, target: Path, *options: str) -> str:
    """The line with which a restore is refused that left the folder as it was."""
    before = tree(target)
    line = parley("restore", archive, "--data-dir", target, *options).err.strip().splitlines()[-1]
    assert tree(target) == before
    assert line.startswith("parley: ")
    return line


def tree(folder: Path) -> dict[str, bytes]:
    names = (path for path in folder.rglob("*") if path.is_file() and "lock" not in path.name)
    return {str(path.relative_to(folder)): path.read_bytes() for path in names}


def test_elsewhere_everything_is_there_again(
    parley: Parley, original: Original, archive: Path, elsewhere: Path
) -> None:
    assert stat.S_IMODE(original.archive.stat().st_mode) == 0o600
    assert (original.folder / "secret.key").read_bytes() not in archive.read_bytes()
    restored = parley("restore", archive, "--data-dir", elsewhere)
    assert restored.status == 0, restored.err
    with service(elsewhere, original.key) as api:
        assert [one["url"] for one in api.get("/v1/webhooks").json()] == [HOOK["url"]]
    [kept] = (path for path in (elsewhere / "files").rglob("*") if path.is_file() and "-id" not in path.name)
    assert kept.read_bytes() == QUOTE


def test_a_backup_never_replaces_a_file(parley: Parley, archive: Path, folder: Path) -> None:
    before = archive.read_bytes()
    assert folder.exists()
    assert "name another file" in parley("backup", archive).refusal
    assert archive.read_bytes() == before


def test_files_that_are_missing_or_damaged_are_told(parley: Parley, folder: Path, tmp_path: Path) -> None:
    [kept] = (path for path in (folder / "files").rglob("*") if path.is_file() and "-id" not in path.name)
    kept.write_bytes(b"other")
    assert f"Damaged: the file {kept.name}" in parley("backup", tmp_path / "one.tar").err
    kept.unlink()
    assert f"Missing: the file {kept.name}" in parley("backup", tmp_path / "two.tar").err


def test_sessions_do_not_survive(parley: Parley, folder: Path, elsewhere: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(folder / "parley.sqlite3")) as database, database:
        database.execute(
            "INSERT INTO user_session (id, digest, organisation_id, api_key_id, started_at, seen_at)"
            " SELECT 'one', 'digest', organisation_id, id, created_at, created_at FROM api_key"
        )
    assert parley("backup", tmp_path / "two.tar").status == 0
    assert "1 sessions ended" in parley("restore", tmp_path / "two.tar", "--data-dir", elsewhere).out
    with closing(sqlite3.connect(elsewhere / "parley.sqlite3")) as database:
        assert database.execute("SELECT count(*) FROM user_session").fetchone() == (0,)
        [(kind, summary)] = database.execute(
            "SELECT actor_kind, summary FROM audit_entry WHERE action = 'deployment.restore'"
        )
    assert kind == "command"
    assert summary.startswith("Restore the backup of 20")


def change_byte(content: bytes, at: int) -> bytes:
    return content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :]


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (lambda content: content[: len(content) // 2], "cut off"),
        (lambda content: content[: content.rindex(b'"counts"')], "cut off"),
        (lambda content: change_byte(content, 100_000), "database.sqlite3 in the archive is damaged"),
        (lambda content: change_byte(content, content.index(b"Analytics Suite,10")), "is damaged"),
        (lambda content: change_byte(content, content.rindex(b'"counts"') + 20), "its manifest is not"),
        (lambda content: b"hello", "it is not a tar archive"),
        (lambda content: b"", "it is not a tar archive"),
    ],
    ids=["half", "end", "database", "file", "manifest", "text", "empty"],
)
def test_a_damaged_archive_is_refused(
    parley: Parley, archive: Path, elsewhere: Path, damage: Callable[[bytes], bytes], reason: str
) -> None:
    archive.write_bytes(damage(archive.read_bytes()))
    assert reason in refusal(parley, archive, elsewhere)


def rewrite(
    archive: Path, add: tarfile.TarInfo | None = None, changes: Mapping[str, object] = MappingProxyType({})
) -> None:
    """Write the archive anew, with another entry or other words in its manifest, and digests that hold."""
    with tarfile.open(archive) as tar:
        entries = {head.name: (tar.extractfile(head) or io.BytesIO()).read() for head in tar}
    manifest = json.dumps({**json.loads(entries["manifest.json"]), **changes}).encode()
    entries |= {
        "manifest.json": manifest,
        "manifest.sha256": hashlib.sha256(manifest).hexdigest().encode(),
    }
    with tarfile.open(archive, "w") as tar:
        if add is not None:
            tar.addfile(add)
        for name, content in entries.items():
            head = tarfile.TarInfo(name)
            head.size = len(content)
            tar.addfile(head, io.BytesIO(content))


@pytest.mark.parametrize("name", ["../../evil", "/etc/evil", "files/../evil", "files/a/b", "secret.key"])
def test_an_entry_that_no_backup_has_is_refused(
    parley: Parley, archive: Path, elsewhere: Path, name: str
) -> None:
    rewrite(archive, tarfile.TarInfo(name))
    assert "which no backup has" in refusal(parley, archive, elsewhere)


def test_a_link_in_the_archive_is_refused(parley: Parley, archive: Path, elsewhere: Path) -> None:
    link = tarfile.TarInfo("files/0190")
    link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
    rewrite(archive, link)
    assert "which no backup has" in refusal(parley, archive, elsewhere)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"revision": "999"}, "of a newer version"),
        ({"format": 2, "members": "elsewhere"}, "only a newer version"),
        ({"members": []}, "does not hold what its manifest says"),
        ({"store": "mysql"}, "does not hold what its manifest says"),
        ({"created_at": "yesterday"}, "cannot be read"),
    ],
)
def test_a_manifest_that_does_not_fit_is_refused(
    parley: Parley, archive: Path, elsewhere: Path, changes: dict[str, object], reason: str
) -> None:
    rewrite(archive, changes=changes)
    assert reason in refusal(parley, archive, elsewhere)


def test_without_the_key_it_is_restored_only_where_that_is_said(
    parley: Parley, original: Original, archive: Path, elsewhere: Path
) -> None:
    (elsewhere / "secret.key").unlink()
    assert "the secrets of 1 webhooks" in refusal(parley, archive, elsewhere)
    restored = parley("restore", archive, "--data-dir", elsewhere, "--without-secrets")
    assert "1 webhooks are off" in restored.out
    with service(elsewhere, original.key) as api:
        [listed] = api.get("/v1/webhooks").json()
        hook = api.get(f"/v1/webhooks/{listed['id']}").json()
        assert not hook["enabled"]
        assert "make a new one" in hook["disabledReason"]
        assert api.post(f"/v1/webhooks/{hook['id']}/secret").status_code == 200


def test_a_database_that_is_there_stays_unless_it_is_to_be_replaced(
    parley: Parley, archive: Path, folder: Path
) -> None:
    assert "replace it with --replace" in refusal(parley, archive, folder)
    parley("keys", "create", "--name", "later")
    replaced = parley("restore", archive, "--replace")
    assert replaced.status == 0, replaced.err
    assert "later" not in parley("keys", "list").out
    [kept] = folder.glob("parley.sqlite3.replaced-*")
    with closing(sqlite3.connect(kept)) as database:
        assert database.execute("SELECT count(*) FROM api_key").fetchone() == (2,)


def test_a_database_in_use_is_not_replaced(
    parley: Parley, original: Original, archive: Path, folder: Path
) -> None:
    with service(folder, original.key) as api:
        assert api.get("/v1/webhooks").status_code == 200
        assert "is in use: stop" in parley("restore", archive, "--replace").err
        assert api.get("/v1/webhooks").status_code == 200


def test_a_store_is_not_restored_into_the_other(
    parley: Parley, archive: Path, elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PARLEY_SECRET_KEY", (elsewhere / "secret.key").read_text())
    options = "--database-url", "postgresql://nobody@127.0.0.1:1/none"
    assert "is of SQLite and this deployment uses PostgreSQL" in refusal(parley, archive, elsewhere, *options)


def test_an_archive_is_verified_without_a_restore(parley: Parley, archive: Path, elsewhere: Path) -> None:
    before = tree(elsewhere)
    checked = parley("restore", archive, "--check", "--data-dir", elsewhere)
    assert "1 files" in checked.out
    assert checked.err == ""
    rewrite(archive, changes={"revision": "999"})
    assert "cannot restore it" in parley("restore", archive, "--check", "--data-dir", elsewhere).err
    assert tree(elsewhere) == before


def test_where_there_is_no_database_nothing_is_made(parley: Parley, tmp_path: Path) -> None:
    assert "there is no database" in parley("backup", tmp_path / "none.tar").refusal
    assert list(tmp_path.iterdir()) == []


def test_backups_of_a_timer_are_sealed_and_the_newest_are_kept(
    parley: Parley, folder: Path, elsewhere: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    backups = tmp_path / "backups"
    backups.mkdir()
    older = [f"parley-2020010{day}T000000Z.tar" for day in (1, 2, 3)]
    for name in (*older, "parley.tar", "notes"):
        (backups / name).write_text("x")
    right = Fernet.generate_key().decode()
    monkeypatch.setenv("PARLEY_BACKUP_KEY", right)
    assert parley("backup", "--to", backups, "--keep", "2").status == 0
    names = {one.name for one in backups.iterdir()}
    [made] = [backups / name for name in names if name.endswith(".sealed")]
    assert names == {older[-1], made.name, "parley.tar", "notes"}
    assert parley("restore", made, "--check").status == 0
    content = made.read_bytes()
    assert b"SQLite format" not in content
    made.write_bytes(content[:-1])
    assert "cut off" in parley("restore", made, "--check").refusal
    made.write_bytes(content[:200] + bytes([content[200] ^ 1]) + content[201:])
    assert parley("restore", made, "--check").status == 1
    made.write_bytes(content)
    for key in (Fernet.generate_key().decode(), "short"):
        monkeypatch.setenv("PARLEY_BACKUP_KEY", key)
        assert "PARLEY_BACKUP_KEY" in parley("restore", made, "--check").refusal
        assert "PARLEY_BACKUP_KEY" in refusal(parley, made, elsewhere)
    monkeypatch.delenv("PARLEY_BACKUP_KEY")
    assert "PARLEY_BACKUP_KEY" in parley("restore", made, "--check").refusal
    monkeypatch.setenv("PARLEY_BACKUP_KEY", right)
    assert parley("restore", made, "--data-dir", elsewhere).status == 0
    assert parley("backup").status == 1
    assert parley("backup", tmp_path / "a.tar", "--to", backups).status == 1
    assert "s3://bucket" in parley("backup", "--to", "ftp://a/b").refusal


@pytest.mark.campaign
def test_a_bucket_keeps_the_newest_backups_and_everything_else(
    parley: Parley,
    folder: Path,
    elsewhere: Path,
    tmp_path: Path,
    seaweed: Seaweed,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in {**seaweed.environment, "PARLEY_BACKUP_KEY": Fernet.generate_key().decode()}.items():
        monkeypatch.setenv(name, value)
    store = S3Storage(BUCKET, "backups/parley", timeout=60)
    (tmp_path / "x").write_text("x")
    older = [f"parley-2020010{day}T000000Z.tar" for day in (1, 2, 3)]
    for name in (*older, "parley.tar", "notes"):
        store.upload(name, tmp_path / "x")
    with pytest.raises(FileSavedBefore):
        store.upload("notes", tmp_path / "x")
    S3Storage(BUCKET, "backups", timeout=60).upload(older[0], tmp_path / "x")
    done = parley("backup", "--to", f"s3://{BUCKET}/backups/parley", "--keep", "2")
    assert done.status == 0, done.err
    names = {one.file_id for one in store.list_files()}
    [made] = [name for name in names if name.endswith(".sealed")]
    assert names == {older[-1], made, "parley.tar", "notes"}
    assert made in done.out
    assert [one.file_id for one in S3Storage(BUCKET, "backups", timeout=60).list_files()] == [older[0]]
    with store.open(made) as fetched:
        (tmp_path / made).write_bytes(fetched.read())
    assert parley("restore", tmp_path / made, "--data-dir", elsewhere).status == 0
    assert (elsewhere / "parley.sqlite3").exists()
    assert "nosuchbucket" in parley("backup", "--to", "s3://nosuchbucket/backups").refusal
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "wrong")
    assert "access key" in parley("backup", "--to", f"s3://{BUCKET}/backups/parley").refusal


@pytest.mark.parametrize("size", [0, 1, PIECE - 1, PIECE, PIECE + 1, 2 * PIECE, 3 * PIECE + 5])
def test_what_is_sealed_is_read_at_any_place(size: int) -> None:
    content, key = os.urandom(size), Fernet.generate_key().decode()
    target = io.BytesIO()
    sealing = EncryptingFile(target, key)
    for start in range(0, size, 7_001):
        sealing.write(content[start : start + 7_001])
    sealing.finish()
    opened = DecryptingFile(target, key, "it")
    assert opened.read() == content
    for place in (0, 1, PIECE - 1, PIECE, size // 2, size + 9):
        opened.seek(place)
        assert opened.read(PIECE // 2) == content[place : place + PIECE // 2]
    whole = target.getvalue()
    head, pieces = whole[:32], [whole[at : at + SEALED_PIECE] for at in range(32, len(whole), SEALED_PIECE)]
    changed = [[*pieces[:-1]], [*pieces, pieces[-1]], [*pieces[:-1], pieces[-1][:-1]]]
    if len(pieces) > 1:
        changed += [[pieces[1], pieces[0], *pieces[2:]], pieces[1:]]
    for wrong in changed:  # cut off at a piece, doubled, cut off in a piece, moved, begun later
        with pytest.raises(BackupFault):
            DecryptingFile(io.BytesIO(head + b"".join(wrong)), key, "it").read()
