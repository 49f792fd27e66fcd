"""What a reading process answers, asked in this process."""

from dataclasses import replace

import pytest

from app.service.documents import reading
from app.service.documents.sandbox import sandbox_worker
from app.service.documents.sandbox.messages import (
    Answer,
    Failure,
    Reading,
    ReadRequest,
    Recognised,
    RecogniseRequest,
    RenderRequest,
    Scans,
)
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
    assert answer.extraction.warnings[0].startswith("Only 1 of the 10 pages were read")
    answer = read(GOOD, clock=0.0)
    assert isinstance(answer, Reading)
    assert not any("pages were read" in warning for warning in answer.extraction.warnings)


@pytest.mark.campaign
def test_scanned_pages_are_recognised_before_the_document_is_read() -> None:
    lines = [[(60, 60, "Quotation Q-7"), (60, 200, "Seats for all")], [(60, 60, "Total GBP 1,500.00")], []]
    content = pdf_builder.scans(*lines)
    request = ReadRequest(
        "scan.pdf", ignore_embedded=False, page_limit=300, processor_seconds=60, clock_seconds=60.0,
        share_scans=True,
    )  # fmt: skip
    answer, _ = sandbox_worker.answer_request(request, content)
    assert answer == Scans((1, 2, 3))
    answer, _ = sandbox_worker.answer_request(RecogniseRequest("scan.pdf", 2, 60), content)
    assert isinstance(answer, Recognised)
    request = replace(request, share_scans=False, recognised=(answer.page,))
    answer, _ = sandbox_worker.answer_request(request, content)
    assert isinstance(answer, Reading)
    assert answer.extraction.total == 1500
    assert answer.extraction.warnings[0].startswith("Only 1 of the 3 pages were read")


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
