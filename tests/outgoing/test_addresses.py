"""Which addresses are called."""

from ipaddress import ip_network

import pytest

from app.outgoing.addresses import refusal_reason


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
