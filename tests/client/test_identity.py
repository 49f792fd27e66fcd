"""Who calls travels on each request and never further."""

import threading

import pytest

from app.client import ApiClient, Credentials, EndUser, Unauthorized
from app.contract.negotiation import StartNegotiation
from tests.client import records
from tests.client.conftest import API_KEY
from tests.client.flavours import Connect
from tests.client.records import ID
from tests.client.scripted import Received, Says, ScriptedService

END_USER = EndUser(identifier="u-7", ip="192.0.2.7", email="ann@example.com", organization_name="Müller & Co")


def end_user_headers(request: Received) -> dict[str, str]:
    return {name: value for name, value in request.headers.items() if name.startswith("x-svc-end-user-")}


def test_the_key_is_a_bearer_token(service: ScriptedService, parley: ApiClient) -> None:
    service.script(Says(200, records.company()))
    parley.catalog.company(ID)
    assert service.received[0].headers["authorization"] == f"Bearer {API_KEY}"


def test_the_end_user_goes_where_the_interface_lists_the_headers(
    service: ScriptedService, connect: Connect
) -> None:
    service.script(Says(200, records.company()))
    with connect(service.address, api_key=API_KEY, end_user=END_USER) as parley:
        parley.catalog.company(ID)
    sent = end_user_headers(service.received[0])
    assert sent == {
        "x-svc-end-user-identifier": "u-7",
        "x-svc-end-user-ip": "192.0.2.7",
        "x-svc-end-user-email": "ann@example.com",
        # The server's library reads headers as Latin-1; what went over the wire is UTF-8.
        "x-svc-end-user-organization-name": "Müller & Co".encode().decode("latin-1"),
    }


def test_webhooks_and_the_start_of_a_negotiation_take_the_key_only(
    service: ScriptedService, connect: Connect
) -> None:
    start = StartNegotiation.model_validate(
        {
            "supplier": {"name": "Acme"},
            "contactEmail": "buyer@example.com",
            "contactName": "A Buyer",
            "engagementType": "svc_led",
        }
    )
    service.script(Says(200, [records.webhook()]), Says(201, {"negotiationId": ID}))
    with connect(service.address, api_key=API_KEY, end_user=END_USER) as parley:
        parley.webhooks.list()
        parley.negotiations.start(start)
    for request in service.received:
        assert request.headers["authorization"] == f"Bearer {API_KEY}"
        assert end_user_headers(request) == {}


def test_health_and_the_description_are_told_nothing_of_the_caller(
    service: ScriptedService, connect: Connect
) -> None:
    service.script(Says(200, records.health()), Says(200, {"openapi": "3.1.0"}))
    with connect(service.address, api_key=API_KEY, end_user=END_USER) as parley:
        parley.health.report()
        parley.openapi()
    for request in service.received:
        assert "authorization" not in request.headers
        assert end_user_headers(request) == {}


def test_an_empty_part_of_the_end_user_is_absent(service: ScriptedService, connect: Connect) -> None:
    service.script(Says(200, records.company()))
    with connect(service.address, api_key=API_KEY, end_user=EndUser(identifier="u", email="")) as parley:
        parley.catalog.company(ID)
    assert list(end_user_headers(service.received[0])) == ["x-svc-end-user-identifier"]


def test_without_a_key_no_authorization_is_sent(service: ScriptedService, connect: Connect) -> None:
    service.script(Says(401, records.problem(401)))
    with connect(service.address) as parley, pytest.raises(Unauthorized):
        parley.catalog.companies()
    assert "authorization" not in service.received[0].headers


def test_a_view_speaks_as_another_identity_over_the_same_connection(
    service: ScriptedService, parley: ApiClient
) -> None:
    service.script(Says(200, records.company()))
    other = parley.acting_for(Credentials("another-key", EndUser(identifier="u-8")))
    parley.catalog.company(ID)
    other.catalog.company(ID)
    parley.catalog.company(ID)
    keys = [request.headers["authorization"] for request in service.received]
    assert keys == [f"Bearer {API_KEY}", "Bearer another-key", f"Bearer {API_KEY}"]
    assert [len(end_user_headers(request)) for request in service.received] == [0, 1, 0]
    assert service.connections == 1


def test_a_cookie_set_for_one_identity_is_not_sent_by_the_next(
    service: ScriptedService, parley: ApiClient
) -> None:
    service.script(Says(200, records.company(), {"set-cookie": "session=first; Path=/"}))
    parley.catalog.company(ID)
    parley.acting_for(Credentials("another-key")).catalog.company(ID)
    parley.catalog.company(ID)
    assert all("cookie" not in request.headers for request in service.received)


@pytest.mark.campaign
def test_identities_that_call_at_the_same_time_do_not_mix(
    service: ScriptedService, parley: ApiClient
) -> None:
    def echo(request: Received) -> Says:
        return Says(200, records.company(caller=request.headers["authorization"]), {"etag": '"same"'})

    service.reply = echo
    mixed: list[str] = []

    def call_as(key: str) -> None:
        view = parley.acting_for(Credentials(key))
        for _ in range(20):
            caller = (view.catalog.company(ID).model_extra or {})["caller"]
            if caller != f"Bearer {key}":
                mixed.append(f"{key} got {caller}")

    threads = [threading.Thread(target=call_as, args=(f"key-{number}",)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(service.received) == 160
    assert not mixed


@pytest.mark.parametrize("key", ["line\nbreak", "tab\tbed", "clé", " with blanks ", "nul\0"])
def test_a_key_that_no_header_can_carry_is_refused_without_repeating_it(key: str) -> None:
    with pytest.raises(ValueError, match="no header can carry") as raised:
        Credentials(key)
    assert key not in str(raised.value)


def test_an_end_user_cannot_bring_a_header_along() -> None:
    with pytest.raises(ValueError, match="no header can carry"):
        EndUser(organization_name="Acme\r\nauthorization: Bearer stolen")
