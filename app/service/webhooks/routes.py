"""The routes of webhooks and of the records of their deliveries."""

import json
from datetime import datetime
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Path, Query
from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import Response
from yarl import URL

from app.contract.events import ScopeExtracted
from app.contract.page import MAX_OFFSET, PageRequest
from app.contract.values import MAX_ID_LENGTH, wire_instant
from app.contract.webhooks import (
    DeletedWebhook,
    DeliveryAttempt,
    DeliveryQuery,
    NewWebhook,
    RedeliveredSince,
    RedeliverSince,
    RotatedSecret,
    SentAgain,
    SentRequest,
    Webhook,
    WebhookChange,
    WebhookDetail,
    WebhookEvent,
    WebhookEventWithData,
)
from app.service.access.approvals import Decision, note_decision
from app.service.access.caller import Caller
from app.service.access.guard import CallerDep, PlainGuardedRoute
from app.service.http.dependencies import ContextDep
from app.service.http.operations import Responses, extension, header_references, operation
from app.service.http.problems import ApiProblem, bad_request, not_found, require
from app.service.http.query_parameters import query_parameters
from app.service.http.responses import NO_STORE, created_response, json_response
from app.service.ids import new_id
from app.service.webhooks import store
from app.service.webhooks.delivery_metrics import compute_health
from app.service.webhooks.outbox import emit
from app.service.webhooks.signing import (
    MAX_SECRETS,
    OVERLAP,
    RetiredSecret,
    new_secret,
    read_retired,
    write_retired,
)
from app.service.webhooks.store import StoredDelivery, StoredWebhook
from app.service.webhooks.url_validation import find_url_fault

router = APIRouter(prefix="/v1/webhooks", tags=["Webhooks"], route_class=PlainGuardedRoute)

NEWEST = 1_000

WebhookId = Annotated[str, Path(alias="webhookId", max_length=MAX_ID_LENGTH)]
EventId = Annotated[str, Path(alias="eventId", max_length=MAX_ID_LENGTH)]


async def _page_request(
    limit: Annotated[int, Query(ge=1, le=NEWEST, description="At most so many of the newest.")] = NEWEST,
    offset: Annotated[int, Query(ge=0, le=MAX_OFFSET, description="Leaves out so many from the start.")] = 0,
) -> PageRequest:
    return PageRequest(limit, offset)


PageDep = Annotated[PageRequest, Depends(_page_request)]
"""Which of the newest records are asked for: longer than the pages of other lists, and without a total."""
WITH_NEXT_PAGE: Responses = {200: {"headers": header_references("Link")}}


@router.get("", **operation("webhooks.list", "List webhooks", list[Webhook], responses=WITH_NEXT_PAGE))
def list_webhooks(request: Request, context: ContextDep, caller: CallerDep, page: PageDep) -> Response:
    """List the organisation's webhooks, newest first, without their secrets."""
    with context.database.reading() as connection:
        rows = store.load_webhooks(connection, caller.organisation_id, _one_more(page))
    # Without the secret, which only the answer shows that makes it.
    records = [Webhook(id=row.id, url=row.url, events=row.events) for row in rows[: page.limit]]
    return json_response(records, headers=_next_page(request, page, more=len(rows) > page.limit))


@router.post("", **operation("webhooks.create", "Register a webhook", Webhook, status_code=201))
def create_webhook(body: NewWebhook, context: ContextDep, caller: CallerDep) -> Response:
    """Register an address. Only this answer contains the secret that its deliveries are signed with."""
    fault = find_url_fault(body.url)
    if fault is not None:
        raise bad_request("/url", fault)
    events = dict.fromkeys(body.events)
    with context.database.writing() as connection:
        made = store.add_webhook(
            connection, context, caller.organisation_id, body.url, events, sample=caller.sample
        )
    note_decision(Decision("webhook", body.url, [f"It is sent {', '.join(events)}."]))
    return created_response(made, f"/v1/webhooks/{made.id}", headers=NO_STORE)


@router.delete("/{webhookId}", **operation("webhooks.delete", "Delete a webhook", DeletedWebhook, 404, 409))
def delete_webhook(webhook_id: WebhookId, context: ContextDep, caller: CallerDep) -> Response:
    """Delete a webhook: nothing more is sent to it, and its records are no longer shown."""
    with context.database.writing() as connection:
        row = _required(connection, caller, webhook_id)
        store.delete_webhook(connection, webhook_id, context.clock())
    note_decision(Decision("webhook", row.url))
    return json_response(DeletedWebhook(id=webhook_id))


@router.get(
    "/{webhookId}/events",
    **operation(
        "events.list", "List the events of a webhook", list[WebhookEvent], 404, responses=WITH_NEXT_PAGE
    ),
)
def list_events(
    request: Request,
    webhook_id: WebhookId,
    context: ContextDep,
    caller: CallerDep,
    page: PageDep,
    query: Annotated[DeliveryQuery, Depends(query_parameters(DeliveryQuery))],
) -> Response:
    """List the records of deliveries, newest first: the newest 1,000 where the query asks for no page and no
    filter. The header `Link` names the next page where there is one."""
    with context.database.reading() as connection:
        row = _required(connection, caller, webhook_id)
        rows = store.load_deliveries(connection, webhook_id, query, _one_more(page))
    records = [_build_event(each, enabled=row.enabled) for each in rows[: page.limit]]
    return json_response(records, headers=_next_page(request, page, more=len(rows) > page.limit))


@router.get(
    "/{webhookId}/events/{eventId}",
    **operation("events.read", "Read an event of a webhook", WebhookEventWithData, 404),
)
def read_event(webhook_id: WebhookId, event_id: EventId, context: ContextDep, caller: CallerDep) -> Response:
    """Return one record, with the latest request as it was sent."""
    with context.database.reading() as connection:
        row = _required(connection, caller, webhook_id)
        record = _required_delivery(connection, webhook_id, event_id)
        latest = store.find_latest_attempt(connection, record.id)
    headers: dict[str, Any] = latest.request_headers if latest is not None else {}
    return json_response(
        _build_event_with_data(record, enabled=row.enabled, url=row.url, request_headers=headers)
    )


# Additions of ours.


@router.get("/{webhookId}", **extension("webhooks.read", "Read a webhook", WebhookDetail, 404))
def read_webhook(webhook_id: WebhookId, context: ContextDep, caller: CallerDep) -> Response:
    """Return whether a webhook is called, and how many of its deliveries of the past 24 hours succeeded."""
    with context.database.reading() as connection:
        return json_response(_detail(connection, _required(connection, caller, webhook_id), context.clock()))


@router.patch("/{webhookId}", **extension("webhooks.update", "Turn a webhook on or off", WebhookDetail, 404))
def change_webhook(
    body: WebhookChange, webhook_id: WebhookId, context: ContextDep, caller: CallerDep
) -> Response:
    """Turn a webhook off or on. When it is turned on, the deliveries that were waiting are sent; events of
    the time when it was off can be requested with `redeliver`."""
    with context.database.writing() as connection:
        row = _required(connection, caller, webhook_id)
        if body.enabled:
            # Also for one that is on: whoever turns it on has mended it, so it need not be left alone.
            store.change_webhook(
                connection,
                webhook_id,
                enabled=True,
                disabled_reason=None,
                failing_since=None,
                slow_until=None,
            )
        elif row.enabled:
            store.change_webhook(connection, webhook_id, enabled=False, disabled_reason="Turned off.")
        return json_response(_detail(connection, _required(connection, caller, webhook_id), context.clock()))


@router.post(
    "/{webhookId}/secret",
    **extension("webhooks.rotateSecret", "Make a new secret for a webhook", RotatedSecret, 404, 409),
)
def rotate_secret(webhook_id: WebhookId, context: ContextDep, caller: CallerDep) -> Response:
    """Make a new secret. For 24 hours deliveries are signed with the previous one as well, and with one
    before that for the rest of its own 24 hours: three at a time, so a rotation that would make a fourth is
    refused with 409. With an Idempotency-Key, a call that is repeated gives the same secret again."""
    secret = new_secret()
    now = context.clock()
    until = now + OVERLAP
    with context.database.writing() as connection:
        store.lock_webhook(connection, webhook_id)
        row = _required(connection, caller, webhook_id)
        retired = read_retired(row.retired_secrets, now)
        if len(retired) + 1 >= MAX_SECRETS:
            raise ApiProblem(
                409,
                f"Deliveries are signed with {MAX_SECRETS} secrets, the most at a time. The oldest ends at"
                f" {wire_instant(retired[0].until)}; rotate again after that.",
            )
        store.change_webhook(
            connection,
            webhook_id,
            secret=context.vault.seal(secret.encode()),
            retired_secrets=write_retired([*retired, RetiredSecret(row.secret, until)]),
        )
    note_decision(Decision("webhook", row.url))
    rotated = RotatedSecret(id=webhook_id, secret=secret, previous_secret_until=until)
    return json_response(rotated, headers=NO_STORE)


@router.post(
    "/{webhookId}/test", **extension("webhooks.test", "Send a test event", SentAgain, 404, status_code=201)
)
def send_test(webhook_id: WebhookId, context: ContextDep, caller: CallerDep) -> Response:
    """Send a test event to this webhook. It is delivered and recorded like any other event."""
    event = ScopeExtracted.model_validate({"scope_id": new_id(), "status": "completed", "test": True})
    with context.database.writing() as connection:
        _required_on(connection, caller, webhook_id)
        event_id = emit(
            connection,
            event,
            organisation_id=caller.organisation_id,
            now=context.clock(),
            test=True,
            only_webhook=webhook_id,
        )
    return created_response(SentAgain(event_id=event_id), f"/v1/webhooks/{webhook_id}/events/{event_id}")


@router.post(
    "/{webhookId}/events/redeliver",
    **extension("events.redeliverSince", "Send all failed events since a time again", RedeliveredSince, 404),
)
def redeliver_since(
    body: RedeliverSince, webhook_id: WebhookId, context: ContextDep, caller: CallerDep
) -> Response:
    """Send again every event since a time whose delivery did not succeed, and those of the time when the
    webhook was off or not registered yet: at most 10,000 at once, the oldest first."""
    with context.database.writing() as connection:
        row = _required_on(connection, caller, webhook_id)
        count = store.redeliver_since(
            connection, caller.organisation_id, webhook_id, row.events, body.since, context.clock()
        )
    return json_response(RedeliveredSince(count=count))


@router.post(
    "/{webhookId}/events/{eventId}/redeliver",
    **extension("events.redeliver", "Send an event again", SentAgain, 404),
)
def redeliver_event(
    webhook_id: WebhookId, event_id: EventId, context: ContextDep, caller: CallerDep
) -> Response:
    """Send one event again, with the same id and a new schedule of attempts."""
    with context.database.writing() as connection:
        _required_on(connection, caller, webhook_id)
        record = _required_delivery(connection, webhook_id, event_id)
        if not store.reschedule_deliveries(connection, [record.id], context.clock()):
            raise not_found("event")
    return json_response(SentAgain(event_id=event_id))


@router.get(
    "/{webhookId}/events/{eventId}/attempts",
    **extension("attempts.list", "List the attempts to deliver an event", list[DeliveryAttempt], 404),
)
def list_attempts(
    webhook_id: WebhookId, event_id: EventId, context: ContextDep, caller: CallerDep
) -> Response:
    """List every attempt to deliver one event, the earliest first."""
    with context.database.reading() as connection:
        _required(connection, caller, webhook_id)
        record = _required_delivery(connection, webhook_id, event_id)
        rows = store.load_attempts(connection, record.id)
    return json_response(rows)


def _required(connection: Connection, caller: Caller, webhook_id: str) -> StoredWebhook:
    return require(store.find_webhook(connection, caller.organisation_id, webhook_id), "webhook")


def _required_on(connection: Connection, caller: Caller, webhook_id: str) -> StoredWebhook:
    row = _required(connection, caller, webhook_id)
    if not row.enabled:
        raise ApiProblem(409, "The webhook is turned off; turn it on first.")
    return row


def _required_delivery(connection: Connection, webhook_id: str, event_id: str) -> StoredDelivery:
    return require(store.find_delivery(connection, webhook_id, event_id), "event")


def _detail(connection: Connection, row: StoredWebhook, now: datetime) -> WebhookDetail:
    attempts = store.load_measured_attempts(connection, row.id, now)
    health = compute_health(attempts, waiting=store.count_waiting(connection, row.id), now=now)
    retired = read_retired(row.retired_secrets, now)
    return WebhookDetail.build_from(
        row, previous_secret_until=retired[-1].until if retired else None, health=health
    )


def _one_more(page: PageRequest) -> PageRequest:
    """Request one record more than the page has: it tells whether there is a next page."""
    return PageRequest(page.limit + 1, page.offset)


def _next_page(request: Request, page: PageRequest, *, more: bool) -> dict[str, str]:
    if not more:
        return {}
    kept = [item for item in request.query_params.multi_items() if item[0] not in {"limit", "offset"}]
    query = urlencode([*kept, ("limit", page.limit), ("offset", page.end)])
    return {"Link": f'<{request.url.path}?{query}>; rel="next"'}


def _build_event(row: StoredDelivery, *, enabled: bool) -> WebhookEvent:
    """The record of a delivery, under its event's id. A webhook that is off has no next attempt."""
    return WebhookEvent.build_from(row, id=row.event_id, next_attempt_at=row.next_at if enabled else None)


def _build_event_with_data(
    row: StoredDelivery, *, enabled: bool, url: str, request_headers: dict[str, Any]
) -> WebhookEventWithData:
    target = URL(url)
    parsed: dict[str, Any] = {}
    for name in target.query:
        values = target.query.getall(name)
        parsed[name] = values[0] if len(values) == 1 else values
    data = SentRequest(
        headers=request_headers,
        body=json.loads(row.body),
        query=target.raw_query_string,
        parsed_query=parsed,
        path=target.raw_path,
    )
    return WebhookEventWithData.build_from(_build_event(row, enabled=enabled), data=data)
