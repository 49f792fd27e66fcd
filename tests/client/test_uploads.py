"""Files go out as multipart forms, whole on every try."""

import io
import re
from pathlib import Path

import pytest

from app.client import ApiClient
from tests.client.records import ID
from tests.client.scripted import Received, Resets, Says, ScriptedService

CONTENT = b"%PDF-1.7 \x00\xff\r\n--not-a-boundary"


def part_of(request: Received) -> tuple[str, bytes]:
    """The head and content of the part named `file`."""
    boundary = re.fullmatch(r"multipart/form-data; boundary=(.+)", request.headers["content-type"])
    assert boundary
    parts = request.body.split(b"--" + boundary[1].encode())
    (part,) = (part for part in parts if b'name="file"' in part)
    head, _, content = part.strip(b"\r\n").partition(b"\r\n\r\n")
    return head.decode(), content


def test_bytes_a_path_and_a_stream_are_uploaded_alike(
    service: ScriptedService, parley: ApiClient, tmp_path: Path
) -> None:
    path = tmp_path / "quote.pdf"
    path.write_bytes(CONTENT)
    service.script(Says(201, {"id": ID}))
    for content in (CONTENT, path, io.BytesIO(CONTENT)):
        assert parley.files.upload(content, filename="quote.pdf").id == ID
    for request in service.received:
        head, content = part_of(request)
        assert content == CONTENT
        assert 'filename="quote.pdf"' in head
        assert "application/pdf" in head


def test_a_path_names_and_types_its_upload(
    service: ScriptedService, parley: ApiClient, tmp_path: Path
) -> None:
    path = tmp_path / "price list.csv"
    path.write_bytes(b"a,b")
    service.script(Says(201, {"id": ID}))
    parley.files.upload(path)
    head, _ = part_of(service.received[0])
    assert 'filename="price list.csv"' in head
    assert "text/csv" in head


def test_a_file_name_cannot_break_out_of_its_header(service: ScriptedService, parley: ApiClient) -> None:
    service.script(Says(201, {"id": ID}))
    parley.files.upload(CONTENT, filename='a"\r\nx-injected: 1\r\n\r\n.pdf')
    head, content = part_of(service.received[0])
    assert content == CONTENT
    assert "\r\nx-injected" not in head


@pytest.mark.parametrize("kind", ["path", "stream"])
def test_a_repeated_upload_sends_the_whole_file_again_under_the_same_key(
    service: ScriptedService, parley: ApiClient, tmp_path: Path, kind: str
) -> None:
    path = tmp_path / "quote.pdf"
    path.write_bytes(CONTENT)
    service.script(Resets(), Says(503), Says(201, {"id": ID}))
    parley.files.upload(path if kind == "path" else io.BytesIO(CONTENT))
    assert [part_of(request)[1] for request in service.received] == [CONTENT] * 3
    assert len({request.headers["idempotency-key"] for request in service.received}) == 1


def test_a_document_sent_along_says_its_purchase_type(service: ScriptedService, parley: ApiClient) -> None:
    service.script(Says(201, {"scopeId": ID}))
    parley.scopes.from_upload(CONTENT, filename="quote.pdf", purchase_type="renewal")
    (request,) = service.received
    assert part_of(request)[1] == CONTENT
    assert re.search(rb'name="purchaseType"\r\n\r\nrenewal\r\n', request.body)


def test_a_file_is_attached_to_a_negotiation_in_one_call(service: ScriptedService, parley: ApiClient) -> None:
    service.script(Says(201, {"id": ID, "fileId": ID}))
    parley.negotiations.attach_upload(ID, CONTENT, filename="offer.pdf")
    assert part_of(service.received[0])[1] == CONTENT


def test_an_uploaded_file_has_the_address_that_a_document_is_read_from(parley: ApiClient) -> None:
    assert parley.files.address(ID) == f"{parley.base_url}/v1/files/{ID}"


def test_a_file_comes_back_with_its_name_and_type(service: ScriptedService, parley: ApiClient) -> None:
    disposition = "attachment; filename*=UTF-8''Angebot%20M%C3%BCller.pdf"
    headers = {"content-type": "application/pdf; v=1", "content-disposition": disposition}
    service.script(Says(200, CONTENT, headers))
    file = parley.files.content(ID)
    assert (file.content, file.mime_type, file.filename) == (CONTENT, "application/pdf", "Angebot Müller.pdf")
    assert repr(CONTENT) not in repr(file)


def test_a_missing_file_is_told_before_anything_is_sent(
    service: ScriptedService, parley: ApiClient, tmp_path: Path
) -> None:
    with pytest.raises(FileNotFoundError):
        parley.files.upload(tmp_path / "none.pdf")
    assert not service.received
