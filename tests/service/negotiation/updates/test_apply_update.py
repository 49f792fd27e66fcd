"""External updates: checked, counted once, sorted in, refused where the state says so."""

from concurrent.futures import ThreadPoolExecutor
from itertools import product
from typing import Any

import pytest

from tests.service.negotiation.negotiation_driver import Desk


def kinds(desk: Desk, negotiation_id: str) -> list[str]:
    return [entry["kind"] for entry in desk.timeline(negotiation_id)["entries"]]


def quotes(desk: Desk, negotiation_id: str) -> list[float]:
    entries = desk.timeline(negotiation_id)["entries"]
    return [entry["amount"] for entry in entries if entry["kind"] == "quote"]


def test_a_repeat_with_the_same_content_is_answered_alike_and_changes_nothing(desk: Desk) -> None:
    negotiation_id = desk.planned()
    desk.quote(negotiation_id, 2000, external_id="q1")
    before = desk.summary(negotiation_id), desk.timeline(negotiation_id)
    desk.clock.step(seconds=5)
    desk.quote(negotiation_id, 2000, external_id="q1", at="2026-11-20T13:00:00+01:00")
    assert (desk.summary(negotiation_id), desk.timeline(negotiation_id)) == before


def test_the_same_id_with_other_content_is_a_409_and_from_another_source_a_new_update(desk: Desk) -> None:
    negotiation_id = desk.planned()
    desk.quote(negotiation_id, 2000, external_id="q1")
    desk.quote(negotiation_id, 2001, 409, external_id="q1")
    desk.quote(negotiation_id, 1900, external_id="q1", source="elsewhere")
    assert quotes(desk, negotiation_id) == [2000, 1900]


def test_the_same_id_in_another_negotiation_is_a_new_update(desk: Desk) -> None:
    one, other = desk.planned(), desk.planned()
    desk.quote(one, 2000, external_id="q1")
    desk.quote(other, 2100, external_id="q1")
    assert quotes(desk, other) == [2100]


def test_a_late_quote_is_sorted_in_and_does_not_supersede_the_newer_one(desk: Desk) -> None:
    negotiation_id = desk.planned()
    desk.quote(negotiation_id, 3000, at="2026-11-20T11:00:00Z")
    desk.quote(negotiation_id, 4000, at="2026-11-20T10:00:00Z")
    assert quotes(desk, negotiation_id) == [4000, 3000]
    (waiting,) = desk.escalations(negotiation_id)
    assert "3,000" in waiting["description"]
    desk.update(negotiation_id, "agreement", amount=2500, currency="USD")
    assert desk.summary(negotiation_id)["executiveSummaries"][0]["figures"]["savings"] == 1500


def test_a_message_is_on_the_timeline_and_activates(desk: Desk) -> None:
    negotiation_id = desk.planned()
    desk.message(negotiation_id, "Hello")
    assert desk.status(negotiation_id) == "active"
    assert "Hello" in [entry.get("text") for entry in desk.timeline(negotiation_id)["entries"]]


def test_anything_else_that_fits_its_schema_is_kept_as_a_note_and_moves_nothing(desk: Desk) -> None:
    negotiation_id = desk.planned()
    schema = {"$id": "https://acme.example/ticket", "properties": {"ticket": {"type": "integer"}}}
    desk.update(negotiation_id, "", schema=schema, ticket=7)
    assert desk.status(negotiation_id) == "pending"
    (note,) = (entry for entry in desk.timeline(negotiation_id)["entries"] if entry["kind"] == "note")
    assert note["payload"] == {"ticket": 7}


def test_a_message_while_planning_activates_once_the_strategy_is_ready(desk: Desk) -> None:
    negotiation_id = desk.start()
    desk.message(negotiation_id, "Hi")
    assert desk.status(negotiation_id) == "planning"
    desk.work()
    assert desk.status(negotiation_id) == "active"


@pytest.mark.parametrize("end", ["agreement", "cancellation"])
def test_after_the_end_every_update_is_a_409_and_the_timeline_says_so(desk: Desk, end: str) -> None:
    negotiation_id = desk.planned()
    desk.quote(negotiation_id, 2000)
    if end == "agreement":
        desk.update(negotiation_id, "agreement", amount=1500, currency="USD", external_id="end")
    else:
        desk.update(negotiation_id, "cancellation", external_id="end")
    late: dict[str, dict[str, Any]] = {
        "agreement": {"amount": 1, "currency": "USD"},
        "quote": {"amount": 1, "currency": "USD"},
        "message": {"from": "x", "text": "y"},
        "decision": {"decision": "other"},
        "cancellation": {},
        "other": {},
    }
    before = desk.summary(negotiation_id)
    for kind, payload in [*late.items(), *late.items()]:
        desk.update(negotiation_id, kind, expect=409, external_id="late", **payload)
    after = desk.summary(negotiation_id)
    assert (after["status"], after["executiveSummaries"]) == (before["status"], before["executiveSummaries"])
    assert kinds(desk, negotiation_id).count("refused") == len(late)
    # What was accepted before is still a repeat.
    again: dict[str, Any] = {"amount": 1500, "currency": "USD"} if end == "agreement" else {}
    desk.update(negotiation_id, end, 204, external_id="end", **again)


def test_an_agreement_before_the_talks_is_a_409(desk: Desk) -> None:
    planning, pending = desk.start(), desk.planned()
    desk.update(pending, "agreement", 409, amount=1500, currency="USD")
    assert desk.status(pending) == "pending"
    desk.update(planning, "cancellation", reason="no budget")
    assert desk.status(planning) == "cancelled"
    desk.work()
    assert desk.status(planning) == "cancelled"


def test_an_amount_that_is_no_price_is_a_422_with_its_place_and_nothing_is_written(desk: Desk) -> None:
    negotiation_id = desk.planned()
    before = desk.timeline(negotiation_id)
    amounts: list[Any] = [0, -1, 10**12, 10**18, "12", None, True, [1]]
    for kind, amount in product(("quote", "agreement"), amounts):
        answer = desk.update(negotiation_id, kind, 422, amount=amount, currency="USD")
        assert "/payload/amount" in [wrong["pointer"] for wrong in answer.json()["errors"]]
    assert desk.timeline(negotiation_id) == before
    assert desk.status(negotiation_id) == "pending"


def test_a_number_that_is_none_is_refused(desk: Desk) -> None:
    negotiation_id = desk.planned()
    text = (
        '{"timestamp": "2026-11-20T12:00:00Z", "externalId": "1", "source": "s",'
        ' "schema": {"$id": "urn:svc:quote:1"}, "payload": {"amount": %s, "currency": "USD"}}'
    )
    path = f"/v1/negotiation/{negotiation_id}/external-update"
    for number in ("NaN", "Infinity", "1e400"):
        answer = desk.api.post(path, content=text % number, headers={"content-type": "application/json"})
        assert answer.status_code == 400
    assert desk.status(negotiation_id) == "pending"


def test_another_currency_than_the_scope_s_is_a_422(desk: Desk) -> None:
    negotiation_id = desk.planned()
    answer = desk.quote(negotiation_id, 100, 422, currency="EUR")
    assert answer.json()["errors"][0]["pointer"] == "/payload/currency"
    desk.quote(negotiation_id, 100, 422, currency="usd")
    desk.quote(negotiation_id, 2000)
    desk.update(negotiation_id, "agreement", 422, amount=100, currency="EUR")
    assert desk.status(negotiation_id) == "active"


def test_a_line_with_an_unknown_product_is_a_400_with_its_place(desk: Desk) -> None:
    negotiation_id = desk.planned()
    lines = [{"productId": desk.market.product_id}, {"productId": "018f2c5e-7b1a-7c3d-9e4f-5a6b7c8d9e0f"}]
    answer = desk.quote(negotiation_id, 2000, 400, lines=lines)
    assert answer.json()["errors"][0]["pointer"] == "/payload/lines/1/productId"


def test_a_schema_that_is_none_and_a_payload_that_breaks_its_own_leave_nothing_behind(desk: Desk) -> None:
    negotiation_id = desk.planned()
    before = desk.timeline(negotiation_id)
    desk.quote(negotiation_id, 100, 400, schema={"$id": "urn:svc:quote:1", "type": "banana"})
    desk.quote(negotiation_id, 100, 400, schema={"$ref": "https://example.com/x"})
    desk.quote(negotiation_id, 100, 422, schema={"$id": "urn:svc:quote:1", "required": ["po"]})
    assert desk.timeline(negotiation_id) == before


def test_five_megabytes_of_payload_are_a_413(desk: Desk) -> None:
    negotiation_id = desk.planned()
    desk.message(negotiation_id, "y" * 5_000_000, expect=413)


def test_a_body_that_is_not_an_update_is_a_400(desk: Desk) -> None:
    negotiation_id = desk.planned()
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
        answer = desk.api.post(path, json={**whole, **change})
        assert answer.status_code == 400, answer.text
        assert answer.json()["errors"][0]["pointer"] == f"/{next(iter(change))}"


def test_the_same_update_from_many_callers_at_once_is_one_update(desk: Desk) -> None:
    negotiation_id = desk.planned()
    body = {
        "timestamp": "2026-11-20T12:00:00Z",
        "externalId": "1",
        "source": "s",
        "schema": {"$id": "urn:svc:quote:1"},
        "payload": {"amount": 5000, "currency": "USD"},
    }
    path = f"/v1/negotiation/{negotiation_id}/external-update"
    with ThreadPoolExecutor(6) as callers:
        answers = list(callers.map(lambda _: desk.api.post(path, json=body).status_code, range(6)))
    assert answers == [204] * 6
    assert quotes(desk, negotiation_id) == [5000]
    assert len(desk.escalations(negotiation_id)) == 1
    told = [one["eventType"] for one in desk.told()[negotiation_id]]
    assert told.count("negotiation.escalation.created") == 1
