"""Every way in which an attempt can end has its own word, on real sockets."""

import asyncio
import json
import socket
import ssl
from collections.abc import Sequence
from datetime import UTC, datetime
from ipaddress import ip_network
from pathlib import Path

import pytest
from aiohttp.abc import ResolveResult
from standardwebhooks import Webhook
from yarl import URL

from app.outgoing import addresses, guarded_connections
from app.outgoing.addresses import Network
from app.service.webhooks.attempt_result import Outcome
from app.service.webhooks.sending import STORED_BODY_BYTES, Exchange, Message, Sender
from app.service.webhooks.signing import Signer, encode_secret
from tests.service.own_certificate import make_certificate
from tests.service.webhooks import receivers
from tests.service.webhooks.receivers import Answering, Endpoint, endpoint, status

LOOPBACK: Sequence[Network] = (ip_network("127.0.0.0/8"),)
NOT_CALLED = {Outcome.ADDRESS_REFUSED, Outcome.NAME_NOT_FOUND, Outcome.INVALID}
KEY = bytes(range(32))
MESSAGE = Message("0199-event", json.dumps({"eventType": "scope.extracted", "data": {}}).encode(), False)


async def attempt(
    url: str, *, allow: Sequence[Network] = LOOPBACK, seconds: float = 5, test: bool = False
) -> Exchange:
    sender = Sender(allow=allow, timeout=seconds)
    try:
        message = Message(MESSAGE.id, MESSAGE.body, test)
        return await sender.send(URL(url), message, Signer([KEY]), now=datetime.now(UTC))
    finally:
        await sender.close()


def sent_to(answering: Answering, *, timeout: float = 5, test: bool = False) -> tuple[Exchange, Endpoint]:
    async def run() -> tuple[Exchange, Endpoint]:
        async with endpoint(answering) as told:
            return await attempt(told.url, seconds=timeout, test=test), told

    return asyncio.run(run())


def test_the_standard_library_of_the_specification_accepts_the_signature() -> None:
    _, told = sent_to(status(200))
    [received] = told.received
    assert Webhook(encode_secret(KEY)).verify(received.body, received.headers) == json.loads(MESSAGE.body)
    assert received.headers["webhook-id"] == MESSAGE.id
    assert received.headers["content-type"] == "application/json"
    assert "webhook-test" not in received.headers


def test_the_recorded_headers_are_those_that_arrived() -> None:
    sent, told = sent_to(status(200), test=True)
    assert sent.request_headers == told.received[0].headers
    assert sent.request_headers["webhook-test"] == "true"


@pytest.mark.parametrize(
    ("answering", "outcome"),
    [
        (status(200), Outcome.SUCCEEDED),
        (status(204), Outcome.SUCCEEDED),
        (status(301, "location: http://127.0.0.1:1/\r\n"), Outcome.REDIRECTED),
        (status(307, "location: http://127.0.0.1:1/\r\n"), Outcome.REDIRECTED),
        (status(404), Outcome.REJECTED),
        (status(410), Outcome.GONE),
        (status(429), Outcome.THROTTLED),
        (status(500), Outcome.SERVER_ERROR),
        (status(999), Outcome.MALFORMED),
        (receivers.babble, Outcome.MALFORMED),
        (receivers.reset, Outcome.DISCONNECTED),
    ],
)
def test_an_answer_has_its_word(answering: Answering, outcome: Outcome) -> None:
    sent, told = sent_to(answering)
    assert sent.result.outcome is outcome
    assert len(told.received) == 1  # no redirect followed, nothing repeated behind our back


ODD_HEADS = {
    "a header of 100 KB": b"X-Odd: " + b"x" * 100_000 + b"\r\n",
    "a header of 900 KB": b"X-Odd: " + b"x" * 900_000 + b"\r\n",
    "a header of 2 MB": b"X-Odd: " + b"x" * 2_000_000 + b"\r\n",
    "thousands of headers": b"".join(b"X-%d: %d\r\n" % (n, n) for n in range(5_000)),
    "the same header again": b"Set-Cookie: a=b\r\n" * 3_000,
    "a long reason": b"X: y\r\n",
    "a negative length": b"Content-Length: -1\r\n",
    "an endless length": b"Content-Length: 1" + b"0" * 40 + b"\r\n",
    "a length in words": b"Content-Length: none\r\n",
    "two lengths": b"Content-Length: 0\r\nContent-Length: 7\r\n",
    "a length and chunks": b"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n",
    "bytes of no text": b"X-Odd: \xff\xfe\xed\xa0\x80\r\n",
    "a NUL": b"X-Odd: a\x00b\r\n",
    "a name with a space": b"X Odd : a\r\n",
    "a name of no text": b"\xff\xff: a\r\n",
    "a line without a colon": b"nothing\r\n",
    "a wait of ages": b"Retry-After: 1" + b"0" * 20 + b"\r\n",
    "a wait that is over": b"Retry-After: Sun, 06 Nov 1994 08:49:37 GMT\r\n",
    "a wait before all time": b"Retry-After: Mon, 01 Jan 0001 00:00:00 +2359\r\n",
    "a wait of no number": b"Retry-After: -5\r\n",
    "an odd type": b"Content-Type: \xff; charset=\x80\r\nContent-Encoding: gzip\r\n",
}


@pytest.mark.parametrize(
    ("code", "outcome"), [(200, Outcome.SUCCEEDED), (410, Outcome.GONE), (503, Outcome.SERVER_ERROR)]
)
@pytest.mark.parametrize("odd", ODD_HEADS)
def test_an_answer_whose_head_is_absurd_is_what_its_status_says(
    odd: str, code: int, outcome: Outcome
) -> None:
    reason = b"x" * 50_000 if odd == "a long reason" else b"Said"
    sent, told = sent_to(receivers.raw(b"HTTP/1.1 %d %s\r\n%s\r\n" % (code, reason, ODD_HEADS[odd])))
    assert sent.result.outcome is outcome
    assert sent.response is not None
    assert sent.response.status == code
    assert len(told.received) == 1
    for value in sent.response.headers.values():
        value.encode()
        assert "\x00" not in value
    assert sent.result.retry_after is None or 0 <= sent.result.retry_after <= 1e9


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (b"HTTP/1.1 103 Hints\r\nX: y\r\n\r\nHTTP/1.1 200 OK\r\nX Y\r\n\r\n", Outcome.SUCCEEDED),
        (b"HTTP/1.1 103 Hints\r\nContent-Length: -1\r\n\r\nHTTP/1.1 500 Oh\r\n\r\n", Outcome.SERVER_ERROR),
        (b"HTTP/1.1 103 Hints\r\nContent-Length: -1\r\n\r\n", Outcome.MALFORMED),
        (b"HTTP/1.1 20 OK\r\nContent-Length: -1\r\n\r\n", Outcome.MALFORMED),
        (b"HTTP/1.1 2000 OK\r\nContent-Length: -1\r\n\r\n", Outcome.MALFORMED),
        (b"HTTP/9.9 200 OK\r\nContent-Length: -1\r\n\r\n", Outcome.MALFORMED),
        (b"x" * 3_000_000, Outcome.MALFORMED),
        (b"HTTP/1.1 200 OK\r\nX-Odd: begun", Outcome.DISCONNECTED),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort", Outcome.DISCONNECTED),
    ],
)  # fmt: skip
def test_an_answer_without_a_status_or_an_end_is_none(answer: bytes, outcome: Outcome) -> None:
    assert sent_to(receivers.raw(answer))[0].result.outcome is outcome


@pytest.mark.parametrize("answering", [receivers.hang, receivers.drip])
def test_an_answer_that_does_not_end_times_out(answering: Answering) -> None:
    sent, _ = sent_to(answering, timeout=0.3)
    assert sent.result.outcome is Outcome.TIMED_OUT
    assert sent.result.overloaded
    assert 250 <= sent.duration_ms < 3000


def test_of_a_hundred_megabytes_only_the_first_sixteen_kibibytes_are_read() -> None:
    sent, _ = sent_to(receivers.flood)
    assert sent.result.succeeded
    assert sent.response is not None
    assert len(sent.response.body) == STORED_BODY_BYTES
    assert sent.duration_ms < 3000


def test_bytes_that_are_no_text_are_kept_as_text() -> None:
    sent, _ = sent_to(status(200, "x-odd: caf\u00e9\r\n"))
    assert sent.response is not None
    sent.response.headers["x-odd"].encode()


@pytest.mark.parametrize(
    ("url", "outcome"),
    [
        ("http://127.0.0.1:1/", Outcome.UNREACHABLE),
        ("http://no-such-host.invalid/", Outcome.NAME_NOT_FOUND),
    ],
)
def test_what_cannot_be_reached_has_its_word(url: str, outcome: Outcome) -> None:
    assert asyncio.run(attempt(url)).result.outcome is outcome


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "localhost",
        "2130706433",
        "0x7f000001",
        "017700000001",
        "127.1",
        "[::1]",
        "[::ffff:127.0.0.1]",
    ],
)
def test_no_spelling_of_a_private_address_is_connected_to(host: str) -> None:
    async def run() -> None:
        async with endpoint(status(200)) as told:
            port = URL(told.url).port
            sent = await attempt(f"http://{host}:{port}/", allow=())
            assert sent.result.outcome in NOT_CALLED
            assert told.received == []

    asyncio.run(run())


@pytest.mark.parametrize(
    "host",
    [
        "10.0.0.1",
        "169.254.169.254",
        "[fe80::1]",
        "[fd00:ec2::254]",
        "[64:ff9b::7f00:1]",
        "[64:ff9b::a9fe:a9fe]",
        "[2002:7f00:1::1]",
        "[::ffff:10.0.0.1]",
        "[::ffff:169.254.169.254]",
    ],
)
def test_no_private_link_local_metadata_or_translated_address_is_connected_to(host: str) -> None:
    assert asyncio.run(attempt(f"http://{host}/", allow=())).result.outcome is Outcome.ADDRESS_REFUSED


@pytest.mark.parametrize("url", ["file:///etc/passwd", "gopher://127.0.0.1:70/"])
def test_what_is_no_http_is_not_sent_even_if_it_got_into_the_table(url: str) -> None:
    assert asyncio.run(attempt(url)).result.outcome is Outcome.INVALID


def test_a_name_that_turns_private_at_the_second_look_up_is_refused_then(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """DNS rebinding: what was looked up before says nothing of what is connected to now."""
    asked: list[str] = []

    async def look_up(*_: object, port: int = 0, **__: object) -> list[ResolveResult]:
        asked.append("93.184.216.34" if not asked else "127.0.0.1")
        return [
            ResolveResult(
                hostname="rebinding.example",
                host=asked[-1],
                port=port,
                family=socket.AF_INET,
                proto=socket.IPPROTO_TCP,
                flags=socket.AI_NUMERICHOST,
            )
        ]

    async def run() -> None:
        async with endpoint(status(200)) as told:
            first = (await look_up())[0]["host"]
            assert addresses.refusal_reason(first) is None  # whoever checks a name beforehand is content
            monkeypatch.setattr(
                guarded_connections.ThreadedResolver,
                "resolve",
                lambda self, host, port, family: look_up(port=port),
            )
            sent = await attempt(f"http://rebinding.example:{URL(told.url).port}/", allow=())
            assert sent.result.outcome is Outcome.ADDRESS_REFUSED
            assert told.received == []
            assert len(asked) == 2

    asyncio.run(run())


def test_a_redirect_into_the_private_range_is_recorded_and_not_followed() -> None:
    sent, told = sent_to(status(307, "location: http://169.254.169.254/latest/meta-data/\r\n"))
    assert sent.result.outcome is Outcome.REDIRECTED
    assert not sent.result.succeeded
    assert len(told.received) == 1


def test_a_certificate_that_nobody_vouches_for_is_refused(tmp_path: Path) -> None:
    async def run() -> Exchange:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(make_certificate(tmp_path / "own.pem"))
        server = await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", 0, ssl=context)
        async with server:
            return await attempt(
                f"https://localhost:{server.sockets[0].getsockname()[1]}/",
                allow=(*LOOPBACK, ip_network("::1/128")),
            )

    sent = asyncio.run(run())
    assert sent.result.outcome is Outcome.TLS_FAILED


def test_plain_http_where_tls_is_expected_is_refused() -> None:
    def answer_plainly(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    async def run() -> Exchange:
        server = await asyncio.start_server(answer_plainly, "127.0.0.1", 0)
        async with server:
            return await attempt(f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}/")

    assert asyncio.run(run()).result.outcome is Outcome.TLS_FAILED
