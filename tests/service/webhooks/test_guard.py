"""Which addresses are called, and what a guarded fetch brings and refuses."""

import asyncio
from ipaddress import ip_network

import pytest

from app.service.webhooks.address_guard import UnfetchableAddress, fetch_guarded
from app.service.webhooks.addresses import refusal_reason
from tests.service.webhooks.receivers import Received, hang, serving, status

PATH = "/files/offer%20one.pdf?x=1"
LOOPBACK = (ip_network("127.0.0.0/8"),)


@pytest.mark.parametrize(
    "address",
    [
        "0.0.0.0",
        "0.1.2.3",
        "10.0.0.1",
        "100.64.0.1",
        "100.100.100.200",
        "127.0.0.1",
        "127.255.255.254",
        "168.63.129.16",
        "169.254.169.254",
        "172.16.0.1",
        "172.31.255.255",
        "192.0.0.1",
        "192.0.2.1",
        "192.88.99.1",
        "192.168.1.1",
        "198.18.0.1",
        "198.51.100.1",
        "203.0.113.1",
        "224.0.0.1",
        "239.255.255.255",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::127.0.0.1",
        "::ffff:10.0.0.1",
        "::ffff:127.0.0.1",
        "::ffff:169.254.169.254",
        "::ffff:0:127.0.0.1",
        "64:ff9b::7f00:1",
        "64:ff9b::a00:1",
        "64:ff9b:1::1",
        "100::1",
        "2001::1",
        "2001:db8::1",
        "2002:7f00:1::1",
        "2002:a00:1::",
        "fc00::1",
        "fd00:ec2::254",
        "fe80::1",
        "fe80::1%eth0",
        "fec0::1",
        "ff02::1",
        "not-an-address",
        "",
    ],
)
def test_addresses_that_are_not_public_are_refused(address: str) -> None:
    assert refusal_reason(address) is not None


@pytest.mark.parametrize(
    "address", ["1.1.1.1", "93.184.216.34", "172.32.0.1", "192.169.0.1", "2606:4700::1111", "::ffff:1.1.1.1"]
)
def test_public_addresses_are_called(address: str) -> None:
    assert refusal_reason(address) is None


def test_a_named_range_is_called_and_nothing_beside_it() -> None:
    allow = (ip_network("10.1.0.0/16"), ip_network("64:ff9b::/96"))
    assert refusal_reason("10.1.2.3", allow) is None
    assert refusal_reason("::ffff:10.1.2.3", allow) is None
    assert refusal_reason("64:ff9b::101:101", allow) is None
    assert refusal_reason("10.2.0.1", allow) is not None


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


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://x/y", "http://a:b@127.0.0.1/", "http://", "::"])
def test_other_addresses_are_not_fetched(url: str) -> None:
    with pytest.raises(UnfetchableAddress):
        fetch(url)
