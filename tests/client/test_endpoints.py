"""Each method asks for its own endpoint and for nothing else."""

from datetime import date
from typing import Any

import pytest

from app.client import ApiClient
from app.client.request import encode_query, list_query
from tests.client import records
from tests.client.endpoint_calls import READS, SINCE, WRITES, Ask
from tests.client.flavours import Connect
from tests.client.records import ID, OTHER_ID
from tests.client.scripted import Says, ScriptedService


@pytest.fixture
def connect() -> Connect:
    """One client: what a method asks for is described once for both."""
    return ApiClient


@pytest.mark.parametrize(("path", "ask", "body"), READS, ids=[path for path, _, _ in READS])
def test_a_read_gets_its_path_once_and_understands_the_answer(
    service: ScriptedService, parley: ApiClient, path: str, ask: Ask, body: Any
) -> None:
    service.script(Says(200, body))
    assert ask(parley) is not None
    (request,) = service.received
    assert (request.method, request.target, request.body) == ("GET", path, b"")


@pytest.mark.parametrize(
    ("method", "path", "ask", "body", "answer"), WRITES, ids=[f"{write[0]} {write[1]}" for write in WRITES]
)
def test_a_write_sends_its_body_once_and_understands_the_answer(
    service: ScriptedService, parley: ApiClient, method: str, path: str, ask: Ask, body: Any, answer: Says
) -> None:
    service.script(answer)
    ask(parley)
    (request,) = service.received
    assert (request.method, request.target) == (method, path)
    if body is None:
        assert request.body == b""
    else:
        assert request.json == body
        assert request.headers["content-type"] == "application/json"


def test_list_parameters_go_into_the_query_and_absent_ones_stay_out(
    service: ScriptedService, parley: ApiClient
) -> None:
    service.script(Says(200, records.page([])))
    parley.catalog.companies(
        name="a&b=c d", domain="acme.example", category_id=ID, ids=[ID, OTHER_ID], sort_order="desc", limit=5
    )
    (request,) = service.received
    assert request.query == {
        "name": "a&b=c d",
        "domain": "acme.example",
        "categoryId": ID,
        "ids": f"{ID},{OTHER_ID}",
        "sortOrder": "desc",
        "limit": "5",
    }


def test_ids_are_one_comma_separated_value(service: ScriptedService, parley: ApiClient) -> None:
    service.script(Says(200, records.page([])))
    parley.catalog.products(ID, ids=[ID, OTHER_ID], product_family_id=OTHER_ID, sort_by="name", offset=0)
    target = service.received[0].target
    assert f"ids={ID},{OTHER_ID}" in target
    assert "offset=0" in target


def test_an_empty_list_of_ids_is_sent_and_an_absent_one_is_not(
    service: ScriptedService, parley: ApiClient
) -> None:
    service.script(Says(200, records.page([])), Says(200, records.page([])))
    parley.catalog.companies(ids=[])
    parley.catalog.companies()
    assert [request.target.partition("?")[2] for request in service.received] == ["ids=", ""]


def test_health_is_asked_for_without_its_body_by_head(service: ScriptedService, parley: ApiClient) -> None:
    service.script(Says(200, records.health()), Says(503, records.health("error")))
    assert parley.health.is_up()
    assert not parley.health.is_up()
    assert [request.method for request in service.received] == ["HEAD", "HEAD"]


def test_deliveries_are_filtered_by_the_service(service: ScriptedService, parley: ApiClient) -> None:
    service.script(Says(200, []))
    parley.webhooks.events(
        "w1",
        status="failed",
        event_type="scope.extracted",
        response_class=5,
        since=SINCE,
        until=SINCE,
        limit=7,
    )
    assert service.received[0].query == {
        "status": "failed",
        "eventType": "scope.extracted",
        "responseClass": "5",
        "since": "2026-11-20T09:30:00.000Z",
        "until": "2026-11-20T09:30:00.000Z",
        "limit": "7",
    }


def test_a_day_goes_into_the_query_as_iso_8601_writes_it() -> None:
    asked = list_query({"signed_after": date(2026, 1, 2)}, None, None)
    assert encode_query(asked) == "signedAfter=2026-01-02"


def test_a_date_without_a_zone_is_never_sent(service: ScriptedService, parley: ApiClient) -> None:
    naive = SINCE.replace(tzinfo=None)
    with pytest.raises(ValueError, match="time zone"):
        parley.webhooks.redeliver_since("w1", naive)
    with pytest.raises(ValueError, match="time zone"):
        parley.webhooks.events("w1", since=naive)
    with pytest.raises(ValueError, match="time zone"):
        parley.overview.read(since=naive)
    assert not service.received
