"""Webhooks and the records of their deliveries (part 2 of the interface)."""

from typing import Annotated, Any

from pydantic import Field

from app.contract.events import EventName
from app.contract.model import Reply, Request
from app.contract.values import Number, ReplyInstant, Text, open_words


class NewWebhook(Request):
    """The body of `POST /v1/webhooks`."""

    url: Annotated[Text, Field(max_length=2000, json_schema_extra={"format": "uri"})]
    events: Annotated[list[EventName], Field(min_length=1)]


class Webhook(Reply):
    """A registered address. `secret` is in the answer that creates it and in no other."""

    id: str
    url: str
    events: list[str]
    secret: str | None = None


class WebhookEvent(Reply):
    """The record of one event's delivery to one webhook. A date that has not come is an empty string on the
    wire and None here; `response_status` is 0 until an answer came."""

    id: str
    attempts: Number
    response_status: Number
    last_attempt_at: ReplyInstant
    next_attempt_at: ReplyInstant
    successful_at: ReplyInstant
    updated_at: ReplyInstant
    created_at: ReplyInstant
    status: Annotated[str, open_words("pending", "delivering", "succeeded", "failed")]


class SentRequest(Reply):
    """The latest request as it was sent; `body` is the delivered event."""

    headers: dict[str, Any]
    body: dict[str, Any]
    query: str
    parsed_query: dict[str, Any]
    path: str


class WebhookEventWithData(WebhookEvent):
    data: SentRequest


class DeletedWebhook(Reply):
    id: str
