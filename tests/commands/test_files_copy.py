"""`parley files copy` moves the files of a deployment to another store, and says what it did."""

import io
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa

from app.commands.session import read_settings
from app.files_url import FilesUrl
from app.service.access.caller import Caller
from app.service.context import Context, open_context
from app.service.database.tables import organisation
from app.service.files.store import StoredFile, save_upload
from app.service.ids import new_id
from app.service.start_checks import require_ready
from app.service.storage.file_storage import FileStorage
from app.service.storage.folder import open_storage
from tests.commands.conftest import Parley, parley
from tests.service.conftest import key_for
from tests.service.migrated_database import provide_schema
from tests.service.storage.seaweed import BUCKET, Seaweed
from tests.service.storage.stores import seaweed, seaweed_server

__all__ = ["parley", "seaweed", "seaweed_server"]


@contextmanager
def _opened() -> Generator[Context]:
    context = open_context(read_settings())
    try:
        yield context
    finally:
        context.close()


def _upload(number: int) -> StoredFile:
    with _opened() as context:
        with context.database.reading() as connection:
            owner = connection.scalar(sa.select(organisation.c.id))
        content = f"item,quantity,price\nwidget,{number},3.50\n".encode()
        caller = Caller("", str(owner), role="owner")
        return save_upload(context, caller, io.BytesIO(content), f"{number}.csv")


@pytest.fixture
def uploaded(parley: Parley) -> list[StoredFile]:
    """A deployment with three files."""
    with _opened() as context:
        provide_schema(context.database)
        require_ready(context)
        key_for(context)
    return [_upload(number) for number in range(3)]


@pytest.fixture
def folder(tmp_path: Path) -> str:
    """The address of where the deployment's files are."""
    return (tmp_path / "data" / "files").as_uri()


def _store(url: str) -> FileStorage:
    return open_storage(FilesUrl.parse(url), 10)


@pytest.mark.campaign
def test_files_go_to_s3_and_on_to_another_folder(
    parley: Parley,
    seaweed: Seaweed,
    uploaded: list[StoredFile],
    folder: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bucket, other = f"s3://{BUCKET}/{new_id()}", (tmp_path / "other").as_uri()
    done = parley("files", "copy", "--from", folder, "--to", bucket)
    assert done.status == 0, done.err
    assert "3 files copied (" in done.out
    assert f"set PARLEY_FILES_URL={bucket}" in done.out
    monkeypatch.setenv("PARLEY_FILES_URL", bucket)
    with _opened() as context:
        require_ready(context)
        assert [context.files.read(one.id, one.sha256)[:4] for one in uploaded] == [b"item"] * 3
    _upload(3)
    assert "4 files copied" in parley("files", "copy", "--from", bucket, "--to", other).out
    monkeypatch.setenv("PARLEY_FILES_URL", other)
    assert parley("keys", "list").status == 0


def test_a_copy_begun_again_copies_what_is_not_there_or_damaged(
    parley: Parley, uploaded: list[StoredFile], folder: str, tmp_path: Path
) -> None:
    other = (tmp_path / "other").as_uri()
    command = ("files", "copy", "--from", folder, "--to", other)
    assert "3 files copied" in parley(*command).out
    _store(other).delete(uploaded[0].id)
    [path] = (tmp_path / "other").rglob(uploaded[1].id)
    path.write_bytes(b"damaged")
    assert "2 files copied" in parley(*command).out
    assert "0 files copied (0 bytes), 3 were there already" in parley(*command).out
    for one in uploaded:
        _store(other).verify(one.id, one.sha256)


def test_what_cannot_be_copied_is_named_and_the_rest_is_copied(
    parley: Parley, uploaded: list[StoredFile], folder: str, tmp_path: Path
) -> None:
    _store(folder).delete(uploaded[0].id)
    [path] = (tmp_path / "data").rglob(uploaded[1].id)
    path.write_bytes(b"damaged")
    done = parley("files", "copy", "--from", folder, "--to", (tmp_path / "other").as_uri())
    assert done.status == 1
    assert "1 files copied" in done.out
    gone, damaged, summary = done.err.strip().splitlines()
    assert f"file {uploaded[0].id} (0.csv) is not in" in gone
    assert f"the bytes of file {uploaded[1].id}" in damaged
    assert "not those that were uploaded (1.csv)" in damaged
    assert "2 files could not be copied" in summary


def test_stores_that_are_not_what_they_are_taken_for_are_refused(
    parley: Parley, uploaded: list[StoredFile], folder: str, tmp_path: Path
) -> None:
    other = (tmp_path / "other").as_uri()
    for source, target, words in (
        (other, folder, "other is not the one that holds this database's files"),
        (folder, folder, "--from and --to are the same"),
        (folder, "ftp://x", "--to: 'ftp://x' is no place for files"),
    ):
        assert words in parley("files", "copy", "--from", source, "--to", target).refusal
    _store(other).identify(may_mark=True)
    refusal = parley("files", "copy", "--from", folder, "--to", other).refusal
    assert "holds the files of another database" in refusal
    assert not list(_store(other).list_files())
    assert os.listdir(tmp_path / "other") == ["folder-id"]
