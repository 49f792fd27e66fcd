"""The receiver for trying out says what came and whether its signature holds."""

import io
import re
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Generator
from contextlib import contextmanager

import pytest

from app.service.webhooks.listen import make_receiver
from app.service.webhooks.signing import InvalidSecret, Signer, encode_secret

KEY = b"k" * 32
SECRET = encode_secret(KEY)


@contextmanager
def listening(secret: str | None) -> Generator[tuple[str, io.StringIO]]:
    out = io.StringIO()
    with make_receiver(0, secret, out) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/in", out
        finally:
            server.shutdown()
            thread.join()


def deliver(url: str, body: bytes, *, key: bytes = KEY, age: int = 0) -> int:
    timestamp = int(time.time()) - age
    headers = {
        "webhook-id": "m",
        "webhook-timestamp": str(timestamp),
        "webhook-signature": Signer([key]).sign(message_id="m", timestamp=timestamp, body=body),
        "content-type": "application/json",
    }
    try:
        with urllib.request.urlopen(urllib.request.Request(url, body, headers)) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        with error:
            return error.code


def test_a_delivery_is_printed_with_its_verdict() -> None:
    with listening(SECRET) as (url, out):
        assert deliver(url, b'{"eventType":"scope.extracted"}') == 200
        assert deliver(url, b"{}", key=b"other") == 401
        assert deliver(url, b"{}", age=3600) == 401
    verdicts = re.findall(r"^  signature: (.*)", out.getvalue(), re.MULTILINE)
    assert verdicts == [
        "valid",
        "INVALID: no signature matches the secret",
        "INVALID: webhook-timestamp is more than 5 minutes off",
    ]
    assert '"eventType": "scope.extracted"' in out.getvalue()


def test_without_a_secret_signatures_are_not_checked() -> None:
    with listening(None) as (url, out):
        assert deliver(url, b"no json") == 200
    assert "signature: not checked" in out.getvalue()


def test_what_a_stranger_sends_cannot_steer_the_terminal() -> None:
    with listening(None) as (url, out):
        assert deliver(url, b"\x1b[2J\x07gone") == 200
    assert "\x1b" not in out.getvalue()
    assert "\x07" not in out.getvalue()


def test_a_secret_that_is_none_is_refused_at_once() -> None:
    with pytest.raises(InvalidSecret):
        make_receiver(0, "whsec_!", io.StringIO())
