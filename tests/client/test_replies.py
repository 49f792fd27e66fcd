"""Answers of newer, older and broken services."""

import gzip

import pytest

from app.client import ApiClient, ReplyTooLarge, ServiceFailed, UnexpectedReply
from tests.client import records
from tests.client.flavours import Connect
from tests.client.records import ID
from tests.client.scripted import Says, ScriptedService


def test_unknown_keys_are_kept(service: ScriptedService, parley: ApiClient) -> None:
    service.script(Says(200, records.company(sustainability={"score": 7})))
    company = parley.catalog.company(ID)
    assert company.model_extra == {"sustainability": {"score": 7}}


def test_unknown_words_pass(service: ScriptedService, parley: ApiClient) -> None:
    service.script(Says(200, records.scope(source="telepathy")), Says(200, records.health("sleepy")))
    assert parley.scopes.get(ID).source == "telepathy"
    assert parley.health.report().status == "sleepy"


def test_what_some_deployments_leave_out_may_be_absent(service: ScriptedService, parley: ApiClient) -> None:
    service.script(Says(200, records.company()), Says(200, records.product()))
    assert parley.catalog.company(ID).real_purchase_count is None
    assert parley.catalog.product(ID).is_custom_estimate_available is None


def test_a_date_may_be_blank_or_null(service: ScriptedService, parley: ApiClient) -> None:
    service.script(Says(200, [records.webhook_event(nextAttemptAt="", successfulAt=None)]))
    (event,) = parley.webhooks.events("w1").data
    assert event.next_attempt_at is None
    assert event.successful_at is None


@pytest.mark.parametrize(
    "body", [b"", b"<!doctype html>", b"null", b"[]", b"{", b'"text"', b"\xff", b"[" * 100_000]
)
def test_an_answer_that_is_none_is_told(service: ScriptedService, parley: ApiClient, body: bytes) -> None:
    service.script(Says(200, body, {"x-request-id": "r-9"}))
    with pytest.raises(UnexpectedReply) as raised:
        parley.catalog.company(ID)
    assert raised.value.request_id == "r-9"
    assert raised.value.status == 200
    assert raised.value.path == f"/v1/catalog/companies/{ID}"
    assert raised.value.__cause__ is None
    assert raised.value.__context__ is None


def test_a_missing_field_is_named(service: ScriptedService, parley: ApiClient) -> None:
    record = records.company()
    del record["legalName"]
    service.script(Says(200, record))
    with pytest.raises(UnexpectedReply, match="legalName"):
        parley.catalog.company(ID)


def test_a_report_comes_with_503_too(service: ScriptedService, parley: ApiClient) -> None:
    service.script(Says(503, records.health("error")))
    report = parley.health.report()
    assert report.status == "error"
    assert [part.name for part in report.services] == ["database"]
    assert len(service.received) == 1


def test_a_gateways_503_is_no_report(service: ScriptedService, parley: ApiClient) -> None:
    service.script(Says(503, b"<html>no upstream</html>"))
    with pytest.raises(ServiceFailed):
        parley.health.report()


def test_an_answer_that_announces_too_much_is_not_read(service: ScriptedService, connect: Connect) -> None:
    service.script(Says(200, records.company(), {"content-length": "1000000000"}))
    with connect(service.address, max_bytes=1000) as parley, pytest.raises(ReplyTooLarge):
        parley.catalog.company(ID)
    assert len(service.received) == 1


@pytest.mark.campaign
def test_an_answer_that_unpacks_to_too_much_is_given_up(service: ScriptedService, connect: Connect) -> None:
    bomb = gzip.compress(b" " * 10_000_000)
    assert len(bomb) < 20_000
    service.script(Says(200, bomb, {"content-encoding": "gzip"}))
    with connect(service.address, max_bytes=1_000_000) as parley, pytest.raises(ReplyTooLarge):
        parley.catalog.company(ID)


def test_a_broken_encoding_is_told(service: ScriptedService, parley: ApiClient) -> None:
    service.script(Says(200, b"no gzip", {"content-encoding": "gzip"}))
    with pytest.raises(UnexpectedReply, match="encoding"):
        parley.catalog.company(ID)
    assert len(service.received) == 1


def test_an_answer_may_be_packed(service: ScriptedService, parley: ApiClient) -> None:
    service.script(Says(200, gzip.compress(b'{"openapi": "3.1.0"}'), {"content-encoding": "gzip"}))
    assert parley.openapi() == {"openapi": "3.1.0"}


def test_money_is_exact(service: ScriptedService, parley: ApiClient) -> None:
    percentiles = {"percentile25": 0.1, "percentile50": 0.2, "percentile75": 0.3}
    service.script(Says(200, {**records.basic_estimate(), "estimate": percentiles}))
    estimate = parley.pricing.basic(ID).estimate
    assert estimate.percentile25 + estimate.percentile50 == estimate.percentile75
