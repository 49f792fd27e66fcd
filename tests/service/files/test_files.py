"""Files: what is accepted, what is refused, who may have it back."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from app.service.context import Context
from app.service.database.tables import file
from app.service.files.store import clean_filename

CSV = b"item,quantity,price\nwidget,2,3.50\n"
MEBIBYTE = 1024 * 1024


def _kept(context: Context) -> tuple[int, list[Path]]:
    """How many rows there are, and every file on the disk."""
    with context.database.reading() as connection:
        rows = connection.scalar(sa.select(sa.func.count()).select_from(file)) or 0
    folder = context.settings.files_dir
    return rows, [path for path in folder.glob("*/*") if path.is_file()]


@pytest.mark.parametrize(
    ("suffix", "content"), [("csv", CSV), ("html", b"<html><script>alert(1)</script><p>Quote 7</p></html>")]
)
def test_an_upload_comes_back_byte_for_byte_as_a_download(
    api: TestClient, suffix: str, content: bytes
) -> None:
    made = api.post("/v1/files/upload", files={"file": (f"Angebot „März“.{suffix}", content)})
    assert made.status_code == 201
    assert set(made.json()) == {"id"}
    got = api.get(f"/v1/files/{made.json()['id']}")
    assert got.content == content
    assert got.headers["content-type"] == "application/octet-stream"
    assert got.headers["content-disposition"].startswith("attachment; filename*=UTF-8''Angebot")
    assert got.headers["x-content-type-options"] == "nosniff"


def test_another_organisations_file_is_404(api: TestClient, stranger: TestClient) -> None:
    file_id = api.post("/v1/files/upload", files={"file": ("a.csv", CSV)}).json()["id"]
    assert stranger.get(f"/v1/files/{file_id}").status_code == 404


@pytest.mark.parametrize(
    ("name", "content", "status"),
    [
        ("empty.pdf", b"", 400),
        ("blank.pdf", b"\n\n  \n", 400),
        ("none.pdf", b"MZ\x90\x00 this is a program", 415),
        ("picture.pdf", b"GIF89a\x01\x00\x01\x00", 415),
        ("noise.pdf", bytes(range(256)) * 8, 415),
    ],
)
def test_what_is_no_document_is_refused_and_nothing_is_kept(
    api: TestClient, context: Context, name: str, content: bytes, status: int
) -> None:
    answer = api.post("/v1/files/upload", files={"file": (name, content)})
    assert answer.status_code == status, answer.text
    assert answer.json()["status"] == status
    assert _kept(context) == (0, [])


@pytest.mark.campaign
def test_a_200_mb_upload_is_413_and_nothing_is_kept(api: TestClient, context: Context) -> None:
    def body() -> Iterator[bytes]:
        yield b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n'
        for _ in range(200):
            yield b"a" * MEBIBYTE
        yield b"\r\n--x--\r\n"

    answer = api.post(
        "/v1/files/upload", content=body(), headers={"content-type": "multipart/form-data; boundary=x"}
    )
    assert answer.status_code == 413
    assert _kept(context) == (0, [])


@pytest.mark.parametrize(
    ("content", "content_type"),
    [
        (b"--x\r\n", "multipart/form-data"),
        (b"nothing", "multipart/form-data; boundary=x"),
        (
            b'--x\r\nContent-Disposition: form-data; name="other"\r\n\r\n1\r\n--x--\r\n',
            "multipart/form-data; boundary=x",
        ),
    ],
)
def test_a_form_without_a_file_is_400(api: TestClient, content: bytes, content_type: str) -> None:
    answer = api.post("/v1/files/upload", content=content, headers={"content-type": content_type})
    assert answer.status_code == 400, answer.text


@pytest.mark.parametrize("media_type", ["multipart/form-data", "Multipart/Form-Data", "MULTIPART/FORM-DATA "])
@pytest.mark.parametrize("headers", [{}, {"Idempotency-Key": "a"}])
def test_the_media_type_of_a_form_has_no_case(
    api: TestClient, media_type: str, headers: dict[str, str]
) -> None:
    """RFC 9110, 8.3.1; the calls with a key come to the same answer however the type is written."""
    part = b'Content-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\na,b\n1,2\n'
    answers = [
        api.post(
            "/v1/files/upload",
            content=b"--b\r\n" + part + b"\r\n--b--\r\n",
            headers={**headers, "Content-Type": f"{written}; boundary=b"},
        )
        for written in (media_type, "multipart/form-data")
    ]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert (answers[0].json()["id"] == answers[1].json()["id"]) == ("Idempotency-Key" in headers)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("../../etc/passwd", "passwd"),
        ("C:\\quotes\\a.pdf", "a.pdf"),
        ("a\r\nb.pdf", "ab.pdf"),
        (None, "document"),
        ("..", "document"),
        ("x" * 400, "x" * 255),
    ],
)
def test_a_filename_is_only_a_name(given: str | None, kept: str) -> None:
    assert clean_filename(given) == kept
