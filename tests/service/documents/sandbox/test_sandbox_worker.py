"""What a reading process answers, asked in this process."""

import pytest

from app.service.documents import reading
from app.service.documents.sandbox import sandbox_worker
from app.service.documents.sandbox.messages import Answer, Failure, Reading, ReadRequest, RenderRequest
from tests.service.documents import pdf_builder

GOOD = pdf_builder.pdf([pdf_builder.Text(50, 60, "Total: $1,500.00")])


def read(content: bytes, clock: float = 60.0) -> Answer:
    request = ReadRequest(
        "quote.pdf", ignore_embedded=False, page_limit=300, processor_seconds=60, clock_seconds=clock
    )
    return sandbox_worker.answer_request(request, content)[0]


def test_a_document_is_read() -> None:
    answer = read(GOOD)
    assert isinstance(answer, Reading)
    assert answer.extraction.total == 1500


def test_a_document_that_takes_too_long_is_read_until_then() -> None:
    content = pdf_builder.pdf([pdf_builder.Text(50, 60, "Total: $1,500.00")], *[[]] * 9)
    answer = read(content, clock=0.0)
    assert isinstance(answer, Reading)
    assert answer.extraction.total == 1500
    assert not any(place.verified for place in answer.extraction.provenance.values())
    [warning] = answer.extraction.warnings
    assert warning.startswith("Only 1 of the 10 pages were read")
    answer = read(GOOD, clock=0.0)
    assert isinstance(answer, Reading)
    assert answer.extraction.warnings == ()


def test_a_format_that_is_not_read_is_an_answer_too() -> None:
    answer = read(b"MZ\x90\x00")
    assert isinstance(answer, Failure)
    assert answer.fault == "unsupported"


def test_a_page_that_is_not_there_is_told_from_a_reader_that_stumbles() -> None:
    answer, _ = sandbox_worker.answer_request(RenderRequest("quote.pdf", 2, 100, 10), GOOD)
    assert isinstance(answer, Failure)
    assert answer.fault == "no such page"


def test_a_reader_that_stumbles_says_that_the_document_is_damaged(monkeypatch: pytest.MonkeyPatch) -> None:
    for stumble in (IndexError("tuple index out of range"), ValueError("of a library")):

        def stumbling(*_: object, stumble: Exception = stumble, **__: object) -> None:
            raise stumble

        monkeypatch.setattr(reading, "read_document", stumbling)
        answer = read(GOOD)
        assert answer == Failure("unreadable", "Parts of the document cannot be read; it may be damaged.")
