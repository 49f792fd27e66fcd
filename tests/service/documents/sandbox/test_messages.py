"""Messages between a service and its reading processes."""

import io

import pytest

from app.service.documents.sandbox.messages import RenderRequest, receive, send


def test_messages_arrive_one_after_another() -> None:
    stream = io.BytesIO()
    requests = [RenderRequest(b"%PDF-", "quote.pdf", page, 400) for page in (1, 2)]
    for request in requests:
        send(stream, request)
    stream.seek(0)
    assert [receive(stream), receive(stream)] == requests


@pytest.mark.parametrize("kept", [0, 5, 20])
def test_a_message_cut_off_is_the_end(kept: int) -> None:
    stream = io.BytesIO()
    send(stream, RenderRequest(b"%PDF-", "quote.pdf", 1, 400))
    with pytest.raises(EOFError):
        receive(io.BytesIO(stream.getvalue()[:kept]))
