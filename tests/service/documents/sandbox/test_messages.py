"""Messages between a service and its reading processes."""

import io
import json
from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from app.service.documents.extraction import Box, Extraction, LineItem, PageSize, Provenance
from app.service.documents.faults import DocumentFault, UnreadableDocument, UnsupportedDocument
from app.service.documents.sandbox.messages import (
    LARGEST_ANSWER,
    Answer,
    Failure,
    InvalidAnswer,
    Picture,
    Reading,
    RenderRequest,
    receive_answer,
    receive_request,
    send_answer,
    send_request,
)

PLACE = Provenance(1, Box(0.1, 1 / 3, 1e-7, 842.0), 0.9, verified=True)
EXTRACTION = Extraction(
    "quote.pdf",
    kind="quote",
    document_date=date(2025, 3, 4),
    total=Decimal("1.50E+3"),
    line_items=(
        LineItem("Seats – “new”", Decimal("10"), amount=Decimal("0.10"), provenance={"amount": PLACE}),
    ),
    warnings=("One.",),
    provenance={"total": PLACE},
    pages=(PageSize(595.0, 842.0),),
    line_currencies=("EUR",),
)


def carried(answer: Answer, content: bytes = b"") -> tuple[Answer, bytes]:
    stream = io.BytesIO()
    send_answer(stream, answer, content)
    stream.seek(0)
    return receive_answer(stream)


def test_texts_arrive_as_they_can_be_stored() -> None:
    for text, arrives in (
        ("a\x00\x00b", "a\ufffd\ufffdb"),
        ("a\\\x00", "a\\\ufffd"),
        ("\ud83d\x00", "\ufffd\ufffd"),
    ):
        extraction = replace(EXTRACTION, supplier=text, warnings=(text, "a\\u0000b"))
        answer, _ = carried(Reading(extraction))
        assert answer == Reading(replace(extraction, supplier=arrives, warnings=(arrives, "a\\u0000b")))


def test_requests_arrive_one_after_another() -> None:
    stream = io.BytesIO()
    requests = [RenderRequest("quote.pdf", page, 400, 10) for page in (1, 2)]
    for request in requests:
        send_request(stream, request, b"%PDF-")
    stream.seek(0)
    assert [receive_request(stream) for _ in requests] == [(request, b"%PDF-") for request in requests]


@pytest.mark.parametrize("length", [0, 5, 20, 40])
def test_a_message_cut_off_is_the_end(length: int) -> None:
    stream = io.BytesIO()
    send_request(stream, RenderRequest("quote.pdf", 1, 400, 10), b"%PDF-")
    with pytest.raises(EOFError):
        receive_request(io.BytesIO(stream.getvalue()[:length]))


def test_a_reading_arrives_as_it_was() -> None:
    answer, _ = carried(Reading(EXTRACTION))
    assert answer == Reading(EXTRACTION)
    assert isinstance(answer, Reading)
    assert str(answer.extraction.total) == "1.50E+3"
    assert answer.extraction.to_json() == EXTRACTION.to_json()


def test_a_picture_arrives_beside_its_answer() -> None:
    assert carried(Picture(), b"\x89PNG\x00") == (Picture(), b"\x89PNG\x00")


def test_a_failure_is_the_exception_of_its_kind() -> None:
    for fault, kind in (
        ("unreadable", UnreadableDocument),
        ("unsupported", UnsupportedDocument),
        ("no such page", IndexError),
    ):
        sent = json.dumps({"kind": "failure", "fault": fault, "reason": "It is cut off."}).encode()
        answer = received(sent)
        assert isinstance(answer, Failure)
        raised = answer.exception()
        assert type(raised) is kind
        assert str(raised) == "It is cut off."
        assert not isinstance(raised, DocumentFault) or raised.reason == "It is cut off."


def received(head: bytes) -> Answer:
    return receive_answer(io.BytesIO(len(head).to_bytes(8, "big") + head + bytes(8)))[0]


@pytest.mark.parametrize(
    "head",
    [
        b"\x80\x05cos\nsystem\n(S'true'\ntR.",
        b"[]",
        b'{"kind": "read"}',
        b'{"kind": "reading", "extraction": {"file": 1}}',
        b'{"kind": "reading", "extraction": {"file": "a", "total": "1E+999999"}}',
        b'{"kind": "reading", "extraction": {"file": "a", "total": "NaN"}}',
        b'{"kind": "failure", "fault": "__import__", "reason": "x"}',
        b'{"kind": "failure", "fault": "unreadable", "reason": "' + b"x" * 3000 + b'"}',
    ],
)
def test_what_is_no_answer_is_refused(head: bytes) -> None:
    with pytest.raises(InvalidAnswer):
        received(head)


def test_an_answer_without_end_is_refused_before_it_is_read() -> None:
    endless = io.BytesIO((LARGEST_ANSWER + 1).to_bytes(8, "big") + bytes(8))
    with pytest.raises(InvalidAnswer):
        receive_answer(endless)
