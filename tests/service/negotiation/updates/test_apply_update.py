"""External updates are validated, applied once, sorted by time, and refused where the state forbids them."""

from concurrent.futures import ThreadPoolExecutor
from itertools import product
from typing import Any

import pytest

from tests.service.negotiation.negotiation_driver import NegotiationDriver


def kinds(driver: NegotiationDriver, negotiation_id: str) -> list[str]:
    return [entry["kind"] for entry in driver.timeline(negotiation_id)["entries"]]


def quotes(driver: NegotiationDriver, negotiation_id: str) -> list[float]:
    entries = driver.timeline(negotiation_id)["entries"]
    return [entry["amount"] for entry in entries if entry["kind"] == "quote"]


def test_a_repeated_update_has_the_same_answer_and_changes_nothing(
    driver: NegotiationDriver,
) -> None:
    negotiation_id = driver.start_planned()
    driver.quote(negotiation_id, 2000, external_id="q1")
    before = driver.summary(negotiation_id), driver.timeline(negotiation_id)
    driver.clock.advance(seconds=5)
    driver.quote(negotiation_id, 2000, external_id="q1", at="2026-11-20T13:00:00+01:00")
    assert (driver.summary(negotiation_id), driver.timeline(negotiation_id)) == before


def test_the_same_id_with_other_content_is_a_409_and_from_another_source_a_new_update(
    driver: NegotiationDriver,
) -> None:
    negotiation_id = driver.start_planned()
    driver.quote(negotiation_id, 2000, external_id="q1")
    driver.quote(negotiation_id, 2001, 409, external_id="q1")
    driver.quote(negotiation_id, 1900, external_id="q1", source="elsewhere")
    assert quotes(driver, negotiation_id) == [2000, 1900]


@pytest.mark.campaign
def test_the_same_id_in_another_negotiation_is_a_new_update(driver: NegotiationDriver) -> None:
    one, other = driver.start_planned(), driver.start_planned()
    driver.quote(one, 2000, external_id="q1")
    driver.quote(other, 2100, external_id="q1")
    assert quotes(driver, other) == [2100]


def test_a_late_quote_is_sorted_by_its_time_and_does_not_replace_the_newer_one(
    driver: NegotiationDriver,
) -> None:
    negotiation_id = driver.start_planned()
    driver.quote(negotiation_id, 3000, at="2026-11-20T11:00:00Z")
    driver.quote(negotiation_id, 4000, at="2026-11-20T10:00:00Z")
    assert quotes(driver, negotiation_id) == [4000, 3000]
    (waiting,) = driver.escalations(negotiation_id)
    assert "3,000" in waiting["description"]
    driver.update(negotiation_id, "agreement", amount=2500, currency="USD")
    assert driver.summary(negotiation_id)["executiveSummaries"][0]["figures"]["savings"] == 1500


def test_a_message_is_on_the_timeline_and_activates_the_negotiation(driver: NegotiationDriver) -> None:
    negotiation_id = driver.start_planned()
    driver.message(negotiation_id, "Hello")
    assert driver.status(negotiation_id) == "active"
    assert "Hello" in [entry.get("text") for entry in driver.timeline(negotiation_id)["entries"]]


def test_an_update_of_another_schema_is_a_note_and_changes_no_state(
    driver: NegotiationDriver,
) -> None:
    negotiation_id = driver.start_planned()
    schema = {"$id": "https://acme.example/ticket", "properties": {"ticket": {"type": "integer"}}}
    driver.update(negotiation_id, "", schema=schema, ticket=7)
    assert driver.status(negotiation_id) == "pending"
    (note,) = (entry for entry in driver.timeline(negotiation_id)["entries"] if entry["kind"] == "note")
    assert note["payload"] == {"ticket": 7}


def test_a_message_while_planning_activates_once_the_strategy_is_ready(driver: NegotiationDriver) -> None:
    negotiation_id = driver.start()
    driver.message(negotiation_id, "Hi")
    assert driver.status(negotiation_id) == "planning"
    driver.run_tasks()
    assert driver.status(negotiation_id) == "active"


@pytest.mark.campaign
@pytest.mark.parametrize("end", ["agreement", "cancellation"])
def test_after_the_end_every_update_is_a_409_and_the_timeline_says_so(
    driver: NegotiationDriver, end: str
) -> None:
    negotiation_id = driver.start_planned()
    driver.quote(negotiation_id, 2000)
    if end == "agreement":
        driver.update(negotiation_id, "agreement", amount=1500, currency="USD", external_id="end")
    else:
        driver.update(negotiation_id, "cancellation", external_id="end")
    late: dict[str, dict[str, Any]] = {
        "agreement": {"amount": 1, "currency": "USD"},
        "quote": {"amount": 1, "currency": "USD"},
        "message": {"from": "x", "text": "y"},
        "decision": {"decision": "other"},
        "cancellation": {},
        "other": {},
    }
    before = driver.summary(negotiation_id)
    for kind, payload in [*late.items(), *late.items()]:
        driver.update(negotiation_id, kind, expect=409, external_id="late", **payload)
    after = driver.summary(negotiation_id)
    assert (after["status"], after["executiveSummaries"]) == (before["status"], before["executiveSummaries"])
    assert kinds(driver, negotiation_id).count("refused") == len(late)
    # What was accepted before is still a repeat.
    again: dict[str, Any] = {"amount": 1500, "currency": "USD"} if end == "agreement" else {}
    driver.update(negotiation_id, end, 204, external_id="end", **again)


@pytest.mark.campaign
def test_an_agreement_before_the_talks_is_a_409(driver: NegotiationDriver) -> None:
    planning, pending = driver.start(), driver.start_planned()
    driver.update(pending, "agreement", 409, amount=1500, currency="USD")
    assert driver.status(pending) == "pending"
    driver.update(planning, "cancellation", reason="no budget")
    assert driver.status(planning) == "cancelled"
    driver.run_tasks()
    assert driver.status(planning) == "cancelled"


@pytest.mark.campaign
def test_an_invalid_amount_is_a_422_with_its_pointer_and_nothing_is_written(
    driver: NegotiationDriver,
) -> None:
    negotiation_id = driver.start_planned()
    before = driver.timeline(negotiation_id)
    amounts: list[Any] = [0, -1, 10**12, 10**18, "12", None, True, [1]]
    for kind, amount in product(("quote", "agreement"), amounts):
        answer = driver.update(negotiation_id, kind, 422, amount=amount, currency="USD")
        assert "/payload/amount" in [wrong["pointer"] for wrong in answer.json()["errors"]]
    assert driver.timeline(negotiation_id) == before
    assert driver.status(negotiation_id) == "pending"


def test_not_a_number_is_refused(driver: NegotiationDriver) -> None:
    negotiation_id = driver.start_planned()
    text = (
        '{"timestamp": "2026-11-20T12:00:00Z", "externalId": "1", "source": "s",'
        ' "schema": {"$id": "urn:svc:quote:1"}, "payload": {"amount": %s, "currency": "USD"}}'
    )
    path = f"/v1/negotiation/{negotiation_id}/external-update"
    for number in ("NaN", "Infinity", "1e400"):
        answer = driver.api.post(path, content=text % number, headers={"content-type": "application/json"})
        assert answer.status_code == 400
    assert driver.status(negotiation_id) == "pending"


def test_another_currency_than_the_scope_s_is_a_422(driver: NegotiationDriver) -> None:
    negotiation_id = driver.start_planned()
    answer = driver.quote(negotiation_id, 100, 422, currency="EUR")
    assert answer.json()["errors"][0]["pointer"] == "/payload/currency"
    driver.quote(negotiation_id, 100, 422, currency="usd")
    driver.quote(negotiation_id, 2000)
    driver.update(negotiation_id, "agreement", 422, amount=100, currency="EUR")
    assert driver.status(negotiation_id) == "active"


def test_a_line_with_an_unknown_product_is_a_400_with_its_pointer(driver: NegotiationDriver) -> None:
    negotiation_id = driver.start_planned()
    lines = [{"productId": driver.market.product_id}, {"productId": "018f2c5e-7b1a-7c3d-9e4f-5a6b7c8d9e0f"}]
    answer = driver.quote(negotiation_id, 2000, 400, lines=lines)
    assert answer.json()["errors"][0]["pointer"] == "/payload/lines/1/productId"


def test_an_invalid_schema_or_payload_writes_nothing(
    driver: NegotiationDriver,
) -> None:
    negotiation_id = driver.start_planned()
    before = driver.timeline(negotiation_id)
    driver.quote(negotiation_id, 100, 400, schema={"$id": "urn:svc:quote:1", "type": "banana"})
    driver.quote(negotiation_id, 100, 400, schema={"$ref": "https://example.com/x"})
    driver.quote(negotiation_id, 100, 422, schema={"$id": "urn:svc:quote:1", "required": ["po"]})
    assert driver.timeline(negotiation_id) == before


def test_five_megabytes_of_payload_are_a_413(driver: NegotiationDriver) -> None:
    negotiation_id = driver.start_planned()
    driver.message(negotiation_id, "y" * 5_000_000, expect=413)


def test_a_body_that_is_not_an_update_is_a_400(driver: NegotiationDriver) -> None:
    negotiation_id = driver.start_planned()
    changes: list[dict[str, Any]] = [
        {"timestamp": "2026-11-20T12:00:00"},
        {"timestamp": "0001-01-01T00:00:00+14:00"},
        {"timestamp": 5},
        {"externalId": ""},
        {"externalId": None},
        {"source": ["x"]},
        {"schema": True},
        {"schema": "urn:svc:quote:1"},
        {"payload": [1]},
        {"extra": 1},
    ]
    whole: dict[str, Any] = {
        "timestamp": "2026-11-20T12:00:00Z",
        "externalId": "1",
        "source": "s",
        "schema": {},
        "payload": {},
    }
    for change in changes:
        path = f"/v1/negotiation/{negotiation_id}/external-update"
        answer = driver.api.post(path, json={**whole, **change})
        assert answer.status_code == 400, answer.text
        assert answer.json()["errors"][0]["pointer"] == f"/{next(iter(change))}"


def test_the_same_update_from_many_callers_at_once_is_one_update(driver: NegotiationDriver) -> None:
    negotiation_id = driver.start_planned()
    body = {
        "timestamp": "2026-11-20T12:00:00Z",
        "externalId": "1",
        "source": "s",
        "schema": {"$id": "urn:svc:quote:1"},
        "payload": {"amount": 5000, "currency": "USD"},
    }
    path = f"/v1/negotiation/{negotiation_id}/external-update"
    with ThreadPoolExecutor(6) as callers:
        answers = list(callers.map(lambda _: driver.api.post(path, json=body).status_code, range(6)))
    assert answers == [204] * 6
    assert quotes(driver, negotiation_id) == [5000]
    assert len(driver.escalations(negotiation_id)) == 1
    told = [one["eventType"] for one in driver.load_events()[negotiation_id]]
    assert told.count("negotiation.escalation.created") == 1
