"""The calls made are on record, with their times."""

import pytest

from app.client import ApiClient, ApiError, CallRecord, Credentials
from tests.client import records
from tests.client.flavours import Connect
from tests.client.records import ID
from tests.client.scripted import Resets, Says, ScriptedService


def test_a_call_is_on_record_with_its_time(service: ScriptedService, parley: ApiClient) -> None:
    service.script(Resets(), Says(200, records.company(), {"x-request-id": "r-1"}))
    parley.catalog.company(ID)
    (call,) = parley.calls
    assert (call.method, call.template, call.path) == (
        "GET",
        "/v1/catalog/companies/{}",
        f"/v1/catalog/companies/{ID}",
    )
    assert (call.status, call.error, call.tries, call.request_id) == (200, None, 2, "r-1")
    assert 0 < call.seconds < 10
    assert call.bytes > 100
    assert call.started_at.tzinfo is not None
    assert not call.unchanged


def test_a_failure_is_on_record_too(service: ScriptedService, parley: ApiClient) -> None:
    service.script(Says(404, records.problem(404)), Resets())
    for _ in range(2):
        with pytest.raises(ApiError):
            parley.catalog.company(ID)
    assert [(call.status, call.error) for call in parley.calls] == [(404, "NotFound"), (None, "Unreachable")]


def test_an_identity_sees_its_own_calls_only(service: ScriptedService, parley: ApiClient) -> None:
    service.script(Says(200, records.company()))
    other = parley.acting_for(Credentials("another-key"))
    parley.catalog.company(ID)
    assert len(parley.calls) == 1
    assert other.calls == []
    other.catalog.company(ID)
    assert len(parley.calls) == 1
    assert len(parley.acting_for(Credentials("another-key")).calls) == 1


@pytest.mark.campaign
def test_only_the_latest_calls_are_kept(service: ScriptedService, parley: ApiClient) -> None:
    service.script(Says(200, records.health()))
    for _ in range(205):
        parley.health.report()
    assert len(parley.calls) == 200


def test_a_listener_hears_of_each_call(service: ScriptedService, connect: Connect) -> None:
    service.script(Says(200, records.health()))
    heard: list[CallRecord] = []
    with connect(service.address, on_call=heard.append) as parley:
        parley.health.report()
        assert heard == parley.calls


def test_a_closed_client_says_so(service: ScriptedService, connect: Connect) -> None:
    with connect(service.address) as parley:
        assert not parley.is_closed
    assert parley.is_closed
    with pytest.raises(RuntimeError, match="closed"):
        parley.health.report()
