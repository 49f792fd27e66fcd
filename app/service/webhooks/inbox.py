"""The built-in inbox: a receiver for trying webhooks out, in the embedded default (`parley up`).

It takes the place of the user's own receiver: deliveries reach it over HTTP like any other, it checks their
signatures as the specification asks of a receiver, and stores each with what is wrong with its signature.
"""

from datetime import datetime
from typing import Annotated

import sqlalchemy as sa
from fastapi import APIRouter, Path
from sqlalchemy import Connection
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from yarl import URL

from app.contract.events import EVENT_NAMES
from app.contract.values import MAX_ID_LENGTH
from app.contract.webhooks import InboxMessage, Webhook
from app.service.access.approvals import Decision, note_decision
from app.service.access.capacity import WorkKind
from app.service.access.guard import ACCESS_CONTROL, CallerDep, PlainGuardedRoute
from app.service.context import Context
from app.service.database.tables import inbox_message
from app.service.http.dependencies import ContextDep
from app.service.http.middleware import BODY_LIMIT
from app.service.http.operations import extension
from app.service.http.problems import not_found
from app.service.http.responses import NO_STORE, created_response, json_response
from app.service.ids import new_id
from app.service.webhooks import store
from app.service.webhooks.signing import decode_secret, find_signature_fault
from app.service.webhooks.store import StoredWebhook
from app.storable_text import decode_storable

PATH = "/inbox/"
MAX_MESSAGES = 200
"""How many messages of each inbox are kept, the newest."""
MAX_BODY = 64 * 1024

router = APIRouter(prefix="/v1/webhooks", tags=["Webhooks"], route_class=PlainGuardedRoute)
receiver = APIRouter(include_in_schema=False)

WebhookId = Annotated[str, Path(alias="webhookId", max_length=MAX_ID_LENGTH)]


@router.post("/inbox", **extension("inboxes.create", "Register the built-in inbox", Webhook, status_code=201))
def open_inbox(context: ContextDep, caller: CallerDep) -> Response:
    """Registers the built-in inbox for every event: for trying out, without a receiver of one's own."""
    webhook_id = new_id()
    url = f"{context.settings.public_url}{PATH}{webhook_id}"
    with context.database.writing() as connection:
        made = store.add_webhook(
            connection,
            context,
            caller.organisation_id,
            url,
            EVENT_NAMES,
            sample=caller.sample,
            id=webhook_id,
        )
    note_decision(Decision("webhook", "The built-in inbox"))
    return created_response(made, f"/v1/webhooks/{webhook_id}", headers=NO_STORE)


@router.get(
    "/{webhookId}/inbox",
    **extension("inboxes.read", "Read what arrived in the built-in inbox", list[InboxMessage], 404),
)
def read_inbox(webhook_id: WebhookId, context: ContextDep, caller: CallerDep) -> Response:
    """What arrived in the built-in inbox, the newest first; the newest 200 are kept."""
    with context.database.reading() as connection:
        row = store.find_webhook(connection, caller.organisation_id, webhook_id)
        if row is None or not is_inbox(row):
            raise not_found("inbox")
        rows = connection.execute(
            sa.select(
                inbox_message.c.id,
                inbox_message.c.received_at,
                inbox_message.c.headers,
                inbox_message.c.body,
                inbox_message.c.fault,
            )
            .where(inbox_message.c.webhook_id == webhook_id)
            .order_by(inbox_message.c.id.desc())
            .limit(MAX_MESSAGES)
        ).all()
    return json_response(
        [
            InboxMessage(id=id, received_at=received_at, headers=headers, body=text, fault=fault)
            for id, received_at, headers, text, fault in rows
        ]
    )


@receiver.post(f"{PATH}{{webhookId}}")
async def receive(request: Request, webhook_id: WebhookId, context: ContextDep) -> Response:
    """Takes a delivery: 200, or 401 when its signature does not hold."""
    BODY_LIMIT.set(request, MAX_BODY)
    async with ACCESS_CONTROL.get(request.app).capacity.work(WorkKind.INBOX, webhook_id):
        secret = await run_in_threadpool(_find_secret, context, webhook_id)
    body = await request.body()
    async with ACCESS_CONTROL.get(request.app).capacity.work(WorkKind.INBOX, webhook_id):
        headers = dict(request.headers)
        fault = await run_in_threadpool(_receive_delivery, context, webhook_id, secret, headers, body)
    return PlainTextResponse(fault or "ok", 401 if fault else 200)


def is_inbox(row: StoredWebhook) -> bool:
    """Whether a webhook's address is that of its inbox, whatever the deployment was called then."""
    return URL(row.url).path == f"{PATH}{row.id}"


def _find_secret(context: Context, webhook_id: str) -> bytes:
    """The sealed secret of an inbox. Raises ApiProblem 404."""
    with context.database.reading() as connection:
        row = store.find_webhook(connection, None, webhook_id)
    if row is None or not is_inbox(row):
        raise not_found("inbox")
    return row.secret


def _receive_delivery(
    context: Context, webhook_id: str, secret: bytes, headers: dict[str, str], body: bytes
) -> str | None:
    """Stores what arrived; what is wrong with its signature, if anything."""
    now = context.clock()
    fault = find_signature_fault(
        decode_secret(context.vault.open(secret).decode()),
        message_id=headers.get("webhook-id"),
        timestamp=headers.get("webhook-timestamp"),
        signature=headers.get("webhook-signature"),
        body=body,
        now=now.timestamp(),
    )
    with context.database.writing() as connection:
        if store.find_webhook(connection, None, webhook_id) is None:
            raise not_found("inbox")
        _store(connection, webhook_id, now, headers, body, fault)
    return fault


def _store(
    connection: Connection,
    webhook_id: str,
    now: datetime,
    headers: dict[str, str],
    body: bytes,
    fault: str | None,
) -> None:
    connection.execute(
        sa.insert(inbox_message).values(
            id=new_id(),
            webhook_id=webhook_id,
            received_at=now,
            headers=headers,
            body=decode_storable(body),
            fault=fault,
        )
    )
    beyond = (
        sa.select(inbox_message.c.id)
        .where(inbox_message.c.webhook_id == webhook_id)
        .order_by(inbox_message.c.id.desc())
        .offset(MAX_MESSAGES)
        .limit(MAX_MESSAGES)
    )
    connection.execute(sa.delete(inbox_message).where(inbox_message.c.id.in_(beyond)))
