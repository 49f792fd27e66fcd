"""A process says at its start what is wrong with the place for files."""

from pathlib import Path

import pytest

from app.service.ids import new_id
from tests.commands.conftest import Parley
from tests.service.storage.seaweed import BUCKET, Seaweed
from tests.service.storage.stores import seaweed, seaweed_server

__all__ = ["seaweed", "seaweed_server"]

SERVE = ("serve", "--port", "0")


@pytest.mark.parametrize(
    "url", ["s3://", "s3://b/../c", "s3://key:secret@files", "https://files", "file://host/x", "s3://no such"]
)
def test_an_address_that_is_no_place_for_files_is_refused(
    parley: Parley, monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    monkeypatch.setenv("PARLEY_FILES_URL", url)
    refusal = parley("keys", "list").refusal
    assert "files_url" in refusal
    assert "write s3://bucket/prefix, or file:///folder" in refusal


@pytest.mark.campaign
def test_another_folder_can_be_named(parley: Parley, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PARLEY_FILES_URL", (tmp_path / "other place").as_uri())
    assert parley("keys", "list").status == 0
    assert (tmp_path / "other place" / "folder-id").exists()
    assert not (tmp_path / "data" / "files").exists()


WRONG = (
    ("AWS_SECRET_ACCESS_KEY", "wrong", "the secret key is wrong; correct AWS_SECRET_ACCESS_KEY"),
    ("PARLEY_FILES_URL", "s3://elsewhere/x", "there is no bucket elsewhere; create it, or correct"),
    ("AWS_ENDPOINT_URL", "http://127.0.0.1:1", "nothing answers there; correct AWS_ENDPOINT_URL"),
    ("PARLEY_FILES_URL", f"s3://{BUCKET}/another", "is not the one that holds this database's files"),
)


@pytest.mark.campaign
def test_a_service_says_what_is_wrong_with_its_store(
    parley: Parley, seaweed: Seaweed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PARLEY_FILES_URL", f"s3://{BUCKET}/{new_id()}")
    assert parley("keys", "list").status == 0
    for variable, value, words in WRONG:
        with monkeypatch.context() as changed:
            changed.setenv(variable, value)
            assert words in parley(*SERVE).refusal
