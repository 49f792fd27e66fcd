"""An id never leaves its segment of the path."""

import pytest

from app.client import ApiClient, NotFound, Unsendable
from tests.client.flavours import Connect, of_their_core
from tests.client.scripted import ScriptedService

LEFT = "/v1/webhooks/"
RIGHT = "/events"


@of_their_core
@pytest.mark.parametrize(
    ("hostile", "escaped"),
    [
        ("a/b", "a%2Fb"),
        ("../../health", "..%2F..%2Fhealth"),
        ("a?admin=1", "a%3Fadmin%3D1"),
        ("a#b", "a%23b"),
        ("a%2Fb", "a%252Fb"),
        ("a b+c", "a%20b%2Bc"),
        ("a;b=c", "a%3Bb%3Dc"),
        ("a\\..\\b", "a%5C..%5Cb"),
        ("a\r\nx-injected: 1", "a%0D%0Ax-injected%3A%201"),
        ("...", "..."),
        ("Müller", "M%C3%BCller"),
        ("http://elsewhere.example/", "http%3A%2F%2Felsewhere.example%2F"),
    ],
)
def test_an_id_stays_in_its_segment(
    service: ScriptedService, parley: ApiClient, hostile: str, escaped: str
) -> None:
    with pytest.raises(NotFound):
        parley.webhooks.events(hostile)
    assert service.received[0].target == f"{LEFT}{escaped}{RIGHT}"


@pytest.mark.parametrize("hopeless", ["", " ", ".", "..", " .. "])
def test_an_id_that_no_escape_keeps_in_place_is_never_sent(
    service: ScriptedService, parley: ApiClient, hopeless: str
) -> None:
    with pytest.raises(Unsendable) as raised:
        parley.webhooks.events(hopeless)
    assert isinstance(raised.value, ValueError)
    assert not service.received


@pytest.mark.parametrize(
    "address",
    [
        "",
        "parley.example.com",
        "ftp://parley.example.com",
        "file:///etc/passwd",
        "https://",
        "https://user:pass@parley.example.com",
        "https://parley.example.com/?a=b",
        "https://parley.example.com/#a",
    ],
)
def test_an_address_that_is_none_is_refused_at_once(address: str, connect: Connect) -> None:
    with pytest.raises(ValueError, match="base address") as raised:
        connect(address)
    assert "pass@" not in str(raised.value)


def test_a_deployment_may_lie_under_a_path(service: ScriptedService, connect: Connect) -> None:
    with connect(f"{service.address}/parley/") as client:
        assert client.base_url == f"{service.address}/parley"
        with pytest.raises(NotFound):
            client.webhooks.list()
    assert service.received[0].target == "/parley/v1/webhooks"


@pytest.mark.parametrize("end", ["/v1", "/v1/", "/parley/v1"])
def test_an_address_that_names_the_version_too_is_understood(
    end: str, service: ScriptedService, connect: Connect
) -> None:
    with connect(service.address + end) as client, pytest.raises(NotFound):
        client.webhooks.list()
    assert service.received[0].target == f"{end.partition('/v1')[0]}/v1/webhooks"
