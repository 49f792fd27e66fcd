"""A store of files that is away, or that has other bytes than were uploaded: callers are told, nothing is
half-written, and what a worker was to read waits or fails with a reason."""

import shutil
from pathlib import Path

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from app.service.background.task_runner import run_task
from app.service.background.tasks import ClaimedTask
from app.service.context import Context
from app.service.database.tables import file, task
from app.service.ids import new_id
from app.service.worker.handlers import HANDLERS

CSV = b"item,quantity,price\nwidget,2,3.50\n"


def _upload(api: TestClient) -> str:
    return api.post("/v1/files/upload", files={"file": ("a.csv", CSV)}).json()["id"]


def _damage(context: Context, file_id: str) -> None:
    [path] = context.settings.files_dir.rglob(file_id)
    path.write_bytes(CSV.replace(b"2", b"3"))


def _take_away(context: Context) -> Path:
    """The folder, with a file in its place."""
    folder = context.settings.files_dir
    aside = folder.with_name("aside")
    if folder.exists():
        folder.rename(aside)
    folder.write_text("")
    return aside


def test_a_damaged_file_is_never_sent_as_the_right_one(
    api: TestClient, context: Context, caplog: pytest.LogCaptureFixture
) -> None:
    file_id = _upload(api)
    _damage(context, file_id)
    answer = api.get(f"/v1/files/{file_id}")
    assert answer.status_code == 500
    assert "not those that were uploaded" in answer.json()["detail"]
    assert file_id in caplog.text


def test_a_file_whose_bytes_are_gone_is_404_in_whole_and_in_part(api: TestClient, context: Context) -> None:
    file_id = _upload(api)
    tag = api.get(f"/v1/files/{file_id}").headers["etag"]
    context.files.delete(file_id)
    for headers in ({}, {"Range": "bytes=0-3"}, {"If-None-Match": tag}):
        assert api.get(f"/v1/files/{file_id}", headers=headers).status_code == 404


def test_an_upload_to_a_store_that_is_away_is_503_and_leaves_no_row(
    api: TestClient, context: Context, caplog: pytest.LogCaptureFixture
) -> None:
    _take_away(context)
    answer = api.post("/v1/files/upload", files={"file": ("a.csv", CSV)})
    assert answer.status_code == 503
    assert answer.json()["detail"] == "The service cannot use its files now; nothing was changed. Try again."
    assert int(answer.headers["retry-after"]) > 0
    assert str(context.settings.files_dir) in caplog.text
    with context.database.reading() as connection:
        assert connection.scalar(sa.select(sa.func.count()).select_from(file)) == 0


def _extract(context: Context, attempt: int) -> None:
    with context.database.writing() as connection:
        worker_id = new_id()
        taken = sa.update(task).values(attempts=attempt, worker_id=worker_id).returning(task)
        row = connection.execute(taken).one()
    organisation_id, asked_at = row.organisation_id, row.created_at
    run_task(
        context,
        HANDLERS,
        ClaimedTask(row.kind, row.subject_id, organisation_id, worker_id, attempt, asked_at),
    )


def test_a_document_waits_for_files_that_are_away_and_is_read_once_they_are_back(
    api: TestClient, context: Context
) -> None:
    made = api.post("/v1/scope/from-document", files={"file": ("a.csv", CSV)}).json()["scopeId"]
    aside = _take_away(context)
    for _ in range(7):
        _extract(context, attempt=5)  # the last one that counts
    with context.database.reading() as connection:
        assert connection.scalar(sa.select(task.c.attempts)) == 4
    assert api.get(f"/v1/scope/{made}").json()["documentProcessing"]["status"] == "processing"
    context.settings.files_dir.unlink()
    shutil.move(aside, context.settings.files_dir)
    _extract(context, attempt=5)
    assert api.get(f"/v1/scope/{made}").json()["documentProcessing"]["status"] == "completed"


def test_a_damaged_document_fails_with_the_reason(api: TestClient, context: Context) -> None:
    made = api.post("/v1/scope/from-document", files={"file": ("a.csv", CSV)}).json()["scopeId"]
    with context.database.reading() as connection:
        file_id = connection.scalar(sa.select(file.c.id))
    _damage(context, str(file_id))
    _extract(context, attempt=1)
    processing = api.get(f"/v1/scope/{made}").json()["documentProcessing"]
    assert processing["status"] == "failed"
    assert "damaged" in processing["error"]
