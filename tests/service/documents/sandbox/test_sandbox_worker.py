"""What a reading process answers, asked in this process."""

import pytest

from app.service.documents import reading
from app.service.documents.extraction import Extraction
from app.service.documents.faults import UnreadableDocument, UnsupportedDocument
from app.service.documents.sandbox import sandbox_worker
from app.service.documents.sandbox.messages import ReadRequest, RenderRequest
from tests.service.documents import pdf_builder

GOOD = pdf_builder.pdf([pdf_builder.Text(50, 60, "Total: $1,500.00")])


def asked(content: bytes) -> ReadRequest:
    return ReadRequest(content, "quote.pdf", ignore_embedded=False, page_limit=300)


def test_a_document_is_read() -> None:
    answer = sandbox_worker.answer_request(asked(GOOD))
    assert isinstance(answer, Extraction)
    assert answer.total == 1500


def test_a_format_that_is_not_read_is_an_answer_too() -> None:
    assert isinstance(sandbox_worker.answer_request(asked(b"MZ\x90\x00")), UnsupportedDocument)


def test_a_page_that_is_not_there_is_told_from_a_reader_that_stumbles() -> None:
    assert isinstance(sandbox_worker.answer_request(RenderRequest(GOOD, "quote.pdf", 2, 100)), IndexError)


def test_a_reader_that_stumbles_says_that_the_document_is_damaged(monkeypatch: pytest.MonkeyPatch) -> None:
    for stumble in (IndexError("tuple index out of range"), ValueError("of a library")):

        def stumbling(*_: object, stumble: Exception = stumble, **__: object) -> None:
            raise stumble

        monkeypatch.setattr(reading, "read_document", stumbling)
        answer = sandbox_worker.answer_request(asked(GOOD))
        assert isinstance(answer, UnreadableDocument)
        assert answer.reason == "Parts of the document cannot be read; it may be damaged."
