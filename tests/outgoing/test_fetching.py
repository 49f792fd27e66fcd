"""What a guarded fetch brings and refuses."""

import asyncio
import socket
from ipaddress import ip_network

import pytest
from yarl import URL

from app.outgoing.fetching import UnfetchableAddress, fetch_guarded
from tests.service.webhooks.receivers import Received, hang, raw, serving, status

PATH = "/files/offer%20one.pdf?x=1"
LOOPBACK = (ip_network("127.0.0.0/8"),)


def fetch(url: str, *, limit: int = 1000, timeout: float = 5, allowed: bool = True) -> tuple[bytes, str, str]:
    return fetch_guarded(url, limit_bytes=limit, timeout=timeout, allow=LOOPBACK if allowed else ())


def test_a_file_comes_with_its_type_and_its_name() -> None:
    with serving(status(200, "content-type: application/pdf; x=y\r\n", "%PDF"), path=PATH) as told:
        assert fetch(told.url) == (b"%PDF", "application/pdf", "offer one.pdf")


def test_the_name_that_the_host_gives_is_made_harmless() -> None:
    given = 'content-disposition: attachment; filename="../../etc/passwd"\r\n'
    with serving(status(200, given, "x"), path=PATH) as told:
        assert "/" not in fetch(told.url)[2]


def test_a_redirect_into_the_private_range_is_not_followed() -> None:
    async def answer(received: Received, writer: asyncio.StreamWriter) -> None:
        target = "http://10.255.255.1/secret" if received.path != "/secret" else ""
        await status(302, f"location: {target}\r\n")(received, writer)

    with serving(answer, path=PATH) as told, pytest.raises(UnfetchableAddress, match="private address"):
        fetch(told.url)


def test_a_file_that_is_too_large_ends_the_fetch() -> None:
    with (
        serving(status(200, "", "x" * 2000), path=PATH) as told,
        pytest.raises(UnfetchableAddress, match="larger than 1000"),
    ):
        fetch(told.url)


def test_a_host_that_hangs_ends_in_time() -> None:
    with (
        serving(hang, path=PATH) as told,
        pytest.raises(UnfetchableAddress, match=r"No answer within 0\.2 seconds"),
    ):
        fetch(told.url, timeout=0.2)


def test_a_status_that_is_no_success_is_told() -> None:
    with serving(status(404), path=PATH) as told, pytest.raises(UnfetchableAddress, match="answered 404"):
        fetch(told.url)


def test_nothing_private_is_fetched_by_default() -> None:
    with serving(status(200), path=PATH) as told, pytest.raises(UnfetchableAddress, match="loopback"):
        fetch(told.url, allowed=False)


def test_names_are_judged_by_the_address_that_is_connected_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first name is at an address that may be called, the one that it redirects to is not."""
    addresses = {"permitted.example": "127.0.0.1", "rebound.example": "127.0.0.2"}

    def look_up(host: str, port: int, *_: object) -> list[object]:
        return [(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP, "", (addresses[host], port))]

    async def answer(received: Received, writer: asyncio.StreamWriter) -> None:
        port = received.headers["host"].rpartition(":")[2]
        await status(302, f"location: http://rebound.example:{port}/\r\n")(received, writer)

    with serving(answer, path=PATH) as told:
        monkeypatch.setattr(socket, "getaddrinfo", look_up)
        url = f"http://permitted.example:{URL(told.url).port}/"
        with pytest.raises(UnfetchableAddress, match="loopback"):
            fetch_guarded(url, limit_bytes=9, timeout=5, allow=(ip_network("127.0.0.1/32"),))
        assert len(told.received) == 1


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://x/y", "http://a:b@127.0.0.1/", "http://", "::"])
def test_other_addresses_are_not_fetched(url: str) -> None:
    with pytest.raises(UnfetchableAddress):
        fetch(url)


@pytest.mark.filterwarnings("ignore::aiohttp.multipart.BadContentDispositionHeader")
@pytest.mark.parametrize(
    "odd",
    [
        b"X-Odd: " + b"x" * 100_000,
        b"\r\n".join(b"X-%d: 1" % n for n in range(3_000)),
        b"X-Odd: \xff\xfe",
        b"Content-Length: 4",
        b"Content-Disposition: attachment; filename=\xff\xed\xa0\x80.pdf",
        b"Content-Type: \xff/\x80",
        b"Content-Encoding: gzip-x",
        b"Retry-After: 100000000000000000000",
    ],
)
def test_a_file_comes_whatever_else_its_head_says(odd: bytes) -> None:
    with serving(raw(b"HTTP/1.1 200 OK\r\n%s\r\n\r\n%%PDF" % odd), path=PATH) as told:
        content, media_type, name = fetch(told.url)
    assert content == b"%PDF"
    assert name.encode()
    assert media_type.encode()


@pytest.mark.parametrize(
    ("code", "reason"), [(200, "not valid HTTP"), (404, "answered 404"), (500, "answered 500")]
)
def test_a_head_that_is_none_is_told_with_its_status(code: int, reason: str) -> None:
    answer = b"HTTP/1.1 %d Said\r\nContent-Length: -1\r\n\r\n" % code
    with serving(raw(answer), path=PATH) as told, pytest.raises(UnfetchableAddress, match=reason):
        fetch(told.url)


@pytest.mark.parametrize(("redirects", "comes"), [(5, True), (6, False)])
def test_five_redirects_are_followed_and_no_more(redirects: int, comes: bool) -> None:
    async def answer(received: Received, writer: asyncio.StreamWriter) -> None:
        number = int(received.path.strip("/"))
        target = f"location: /{number + 1}\r\n"
        await (status(200, "", "x") if number == redirects else status(302, target))(received, writer)

    with serving(answer, path="/0") as told:
        if comes:
            assert fetch(told.url)[0] == b"x"
        else:
            with pytest.raises(UnfetchableAddress, match="More than 5 redirects"):
                fetch(told.url)
