"""The five endpoints of the interface, and the additions."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import sqlalchemy as sa

from app.contract.events import Event, NegotiationSummaryUpdated, ScopeExtracted
from app.service.context import Context
from app.service.database.tables import attempt, delivery, webhook
from app.service.ids import new_id
from app.service.webhooks.outbox import emit
from app.service.webhooks.signing import decode_secret

NEW: dict[str, Any] = {"url": "https://hooks.example.com/in?a=1&a=2&b=3", "events": ["scope.extracted"]}


def register(api: Any, **over: Any) -> str:
    answer = api.post("/v1/webhooks", json=NEW | over)
    assert answer.status_code == 201, answer.text
    return answer.json()["id"]


EXTRACTED = ScopeExtracted(scope_id=new_id(), status="completed")


def happen(context: Context, webhook_id: str, event: Event = EXTRACTED) -> str:
    """An event of the organisation that the webhook belongs to."""
    with context.database.writing() as connection:
        organisation_id = connection.scalar(
            sa.select(webhook.c.organisation_id).where(webhook.c.id == webhook_id)
        )
        return emit(
            connection,
            event,
            organisation_id=organisation_id or "",
            now=context.clock(),
        )


def attempted(context: Context, event_id: str, outcome: str, status: int) -> None:
    now = context.clock()
    succeeded = outcome == "succeeded"
    with context.database.writing() as connection:
        id = connection.scalar(sa.select(delivery.c.id).where(delivery.c.event_id == event_id))
        connection.execute(
            sa.insert(attempt).values(
                delivery_id=id,
                number=1,
                started_at=now,
                duration_ms=12,
                outcome=outcome,
                request_headers={"webhook-id": event_id},
                response_status=status,
                response_headers={"server": "x"},
                response_body="ok",
            )
        )
        connection.execute(
            sa.update(delivery)
            .where(delivery.c.id == id)
            .values(
                status="succeeded" if succeeded else "failed",
                attempts=1,
                response_status=status,
                last_attempt_at=now,
                successful_at=now if succeeded else None,
                next_at=None,
            )
        )


def test_the_secret_is_in_the_answer_that_creates_and_in_no_other(api: Any) -> None:
    answer = api.post("/v1/webhooks", json=NEW)
    made = answer.json()
    assert answer.status_code == 201
    assert answer.headers["cache-control"] == "no-store"
    assert made.keys() == {"id", "url", "events", "secret"}
    assert len(decode_secret(made["secret"])) == 32
    assert api.get("/v1/webhooks").json() == [{key: made[key] for key in ("id", "url", "events")}]


def test_webhooks_are_listed_newest_first(api: Any) -> None:
    ids = [register(api) for _ in range(3)]
    assert [each["id"] for each in api.get("/v1/webhooks").json()] == ids[::-1]


NEVER_RIGHT = [
    "file:///etc/passwd",
    "gopher://example.com/",
    "ftp://example.com/",
    "javascript:alert(1)",
    "https://user:password@example.com/",
    "https://user@example.com/",
    "https://",
    "https:///path",
    "//example.com/",
    "example.com",
    "",
    "https://exa mple.com/",
    "https://example.com:99999/",
    "https://example.com:0/",
    "https://[::1/",
    "http://2130706433/",
    "http://0x7f000001/",
    "http://017700000001/",
    "http://127.1/",
    "http://127.0.0.01/",
    "http://256.1.1.1/",
    "https://example.com\\@evil.example/",
    "https://example.com/\n",
]


def test_an_address_that_can_never_be_right_is_refused_with_its_place(api: Any) -> None:
    for url in NEVER_RIGHT:
        answer = api.post("/v1/webhooks", json=NEW | {"url": url})
        assert answer.status_code == 400, url
        assert answer.json()["errors"][0]["pointer"] == "/url"


def test_a_private_address_can_be_registered_since_it_is_refused_when_connecting(api: Any) -> None:
    for url in ("http://127.0.0.1:9/", "http://10.0.0.1/", "http://[::1]/"):
        register(api, url=url)


BROKEN: list[tuple[object, str]] = [
    ({"url": NEW["url"]}, "/events"),
    ({"events": NEW["events"]}, "/url"),
    (NEW | {"events": []}, "/events"),
    (NEW | {"events": ["scope.deleted"]}, "/events/0"),
    (NEW | {"secret": "mine"}, "/secret"),
]


def test_a_body_that_breaks_the_schema_is_refused(api: Any) -> None:
    for body, pointer in BROKEN:
        answer = api.post("/v1/webhooks", json=body)
        assert answer.status_code == 400, body
        assert answer.json()["errors"][0]["pointer"] == pointer


def test_a_deleted_webhook_answers_its_id_and_is_gone(api: Any, context: Context) -> None:
    id = register(api)
    answer = api.delete(f"/v1/webhooks/{id}")
    assert (answer.status_code, answer.json()) == (200, {"id": id})
    assert api.get("/v1/webhooks").json() == []
    assert api.get(f"/v1/webhooks/{id}/events").status_code == 404
    assert api.delete(f"/v1/webhooks/{id}").status_code == 404
    happen(context, id)
    with context.database.reading() as connection:
        assert connection.scalar(sa.select(sa.func.count()).select_from(delivery)) == 0


def test_anothers_webhook_is_not_there(api: Any, stranger: Any, context: Context) -> None:
    id = register(api)
    event_id = happen(context, id)
    for method, path in [
        ("GET", ""),
        ("DELETE", ""),
        ("GET", "/events"),
        ("GET", f"/events/{event_id}"),
        ("GET", f"/events/{event_id}/attempts"),
        ("POST", "/secret"),
        ("POST", "/test"),
        ("POST", f"/events/{event_id}/redeliver"),
    ]:
        assert stranger.request(method, f"/v1/webhooks/{id}{path}").status_code == 404, path
    assert stranger.get("/v1/webhooks").json() == []


def test_ids_are_plain_strings_so_an_odd_one_is_not_there(api: Any) -> None:
    real = register(api)
    for id in ("x", "018f2c5e-7b1a-7c3d-9e4f-5a6b7c8d9e0f", "%20", "a" * 100):
        assert api.get(f"/v1/webhooks/{id}/events").status_code == 404
        assert api.get(f"/v1/webhooks/{real}/events/{id}").status_code == 404


def test_a_record_that_waits_has_blank_dates_and_no_status(api: Any, context: Context) -> None:
    id = register(api)
    event_id = happen(context, id)
    [record] = api.get(f"/v1/webhooks/{id}/events").json()
    assert record.keys() == {
        "id",
        "attempts",
        "responseStatus",
        "lastAttemptAt",
        "nextAttemptAt",
        "successfulAt",
        "updatedAt",
        "createdAt",
        "status",
        "eventType",
    }
    assert record["eventType"] == "scope.extracted"
    assert record["id"] == event_id
    assert (record["attempts"], record["responseStatus"], record["status"]) == (0, 0, "pending")
    assert (record["lastAttemptAt"], record["successfulAt"]) == ("", "")
    assert record["createdAt"].endswith("Z")
    assert record["nextAttemptAt"].endswith("Z")


def test_one_record_has_the_latest_request_as_sent(api: Any, context: Context) -> None:
    id = register(api)
    event_id = happen(context, id)
    attempted(context, event_id, "succeeded", 200)
    record = api.get(f"/v1/webhooks/{id}/events/{event_id}").json()
    assert record["status"] == "succeeded"
    assert record["nextAttemptAt"] == ""
    assert record["data"].keys() == {"headers", "body", "query", "parsedQuery", "path"}
    assert record["data"]["headers"] == {"webhook-id": event_id}
    assert record["data"]["body"]["eventType"] == "scope.extracted"
    assert record["data"]["query"] == "a=1&a=2&b=3"
    assert record["data"]["parsedQuery"] == {"a": ["1", "2"], "b": "3"}
    assert record["data"]["path"] == "/in"


def test_records_are_newest_first_and_page_with_a_link(api: Any, context: Context) -> None:
    id = register(api)
    ids = [happen(context, id) for _ in range(5)][::-1]
    assert [each["id"] for each in api.get(f"/v1/webhooks/{id}/events").json()] == ids
    page = api.get(f"/v1/webhooks/{id}/events", params={"limit": 2, "status": "pending"})
    seen = [each["id"] for each in page.json()]
    while "next" in page.links:
        page = api.get(page.links["next"]["url"])
        seen += [each["id"] for each in page.json()]
    assert seen == ids


@pytest.mark.campaign
def test_only_the_newest_thousand_are_listed_unless_asked(api: Any, context: Context) -> None:
    id = register(api)
    with context.database.writing() as connection:
        organisation_id = connection.scalar(sa.select(webhook.c.organisation_id))
        for number in range(1001):
            emit(
                connection,
                ScopeExtracted(scope_id=new_id(), status="completed"),
                organisation_id=organisation_id or "",
                now=datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=number),
            )
    page = api.get(f"/v1/webhooks/{id}/events")
    assert len(page.json()) == 1000
    assert page.json()[0]["createdAt"] == "2026-01-01T00:16:40.000Z"
    assert len(api.get(page.links["next"]["url"]).json()) == 1


def test_records_are_filtered(api: Any, context: Context) -> None:
    id = register(api, events=["scope.extracted", "negotiation.summary.updated"])
    good, bad, other = (
        happen(context, id),
        happen(context, id),
        happen(
            context,
            id,
            NegotiationSummaryUpdated(negotiation_id=new_id(), status="active", updated_at=context.clock()),
        ),
    )
    attempted(context, good, "succeeded", 204)
    attempted(context, bad, "server_error", 503)

    def found(**params: object) -> list[str]:
        return [each["id"] for each in api.get(f"/v1/webhooks/{id}/events", params=params).json()]

    assert found(status="succeeded") == [good]
    assert found(responseClass=5) == [bad]
    assert found(responseClass=0) == [other]
    assert found(eventType="negotiation.summary.updated") == [other]
    assert found(since="2100-01-01T00:00:00Z") == []
    assert found(until="2100-01-01T00:00:00Z") == [other, bad, good]
    assert api.get(f"/v1/webhooks/{id}/events", params={"status": "lost"}).status_code == 400
    assert api.get(f"/v1/webhooks/{id}/events", params={"limit": 1001}).status_code == 400


def test_a_webhook_is_turned_off_and_on_and_owes_nothing_meanwhile(api: Any, context: Context) -> None:
    id = register(api)
    waiting = happen(context, id)
    off = api.patch(f"/v1/webhooks/{id}", json={"enabled": False}).json()
    assert (off["enabled"], off["disabledReason"]) == (False, "Turned off.")
    missed = happen(context, id)
    [record] = api.get(f"/v1/webhooks/{id}/events").json()
    assert (record["id"], record["nextAttemptAt"]) == (waiting, "")
    assert api.post(f"/v1/webhooks/{id}/test").status_code == 409
    on = api.patch(f"/v1/webhooks/{id}", json={"enabled": True}).json()
    assert on["enabled"] is True
    assert "disabledReason" not in on
    again = api.post(f"/v1/webhooks/{id}/events/redeliver", json={"since": "2026-01-01T00:00:00Z"})
    assert again.json() == {"count": 2}
    assert {each["id"] for each in api.get(f"/v1/webhooks/{id}/events").json()} == {waiting, missed}


def test_a_test_is_recorded_like_any_event_and_marked(api: Any) -> None:
    id = register(api, events=["negotiation.summary.updated"])
    answer = api.post(f"/v1/webhooks/{id}/test")
    assert answer.status_code == 201
    record = api.get(f"/v1/webhooks/{id}/events/{answer.json()['eventId']}").json()
    assert record["data"]["body"]["eventType"] == "scope.extracted"
    assert record["data"]["body"]["data"]["test"] is True


def test_a_redelivered_event_is_due_at_once_under_the_same_id(api: Any, context: Context) -> None:
    id = register(api)
    event_id = happen(context, id)
    attempted(context, event_id, "rejected", 400)
    assert api.get(f"/v1/webhooks/{id}/events/{event_id}").json()["nextAttemptAt"] == ""
    assert api.post(f"/v1/webhooks/{id}/events/{event_id}/redeliver").json() == {"eventId": event_id}
    record = api.get(f"/v1/webhooks/{id}/events/{event_id}").json()
    assert (record["status"], record["attempts"]) == ("pending", 1)
    assert record["nextAttemptAt"] != ""


def test_attempts_show_request_answer_and_duration(api: Any, context: Context) -> None:
    id = register(api)
    event_id = happen(context, id)
    assert api.get(f"/v1/webhooks/{id}/events/{event_id}/attempts").json() == []
    attempted(context, event_id, "rejected", 400)
    [one] = api.get(f"/v1/webhooks/{id}/events/{event_id}/attempts").json()
    assert one["startedAt"].endswith("Z")
    assert {key: one[key] for key in one if key != "startedAt"} == {
        "number": 1,
        "durationMs": 12,
        "outcome": "rejected",
        "requestHeaders": {"webhook-id": event_id},
        "responseStatus": 400,
        "responseHeaders": {"server": "x"},
        "responseBody": "ok",
    }


def test_health_counts_the_attempts_of_a_day(api: Any, context: Context) -> None:
    id = register(api)
    attempted(context, happen(context, id), "succeeded", 200)
    attempted(context, happen(context, id), "timed_out", 0)
    happen(context, id)
    health = api.get(f"/v1/webhooks/{id}").json()["health"]
    assert (health["attempts"], health["successRate"], health["waiting"]) == (2, 0.5, 1)
    assert (health["medianMs"], health["p95Ms"], health["lastFailure"]) == (12, 12, "timed_out")
    assert len(health["hours"]) == 25
    assert sum(hour["succeeded"] + hour["failed"] for hour in health["hours"]) == 2
