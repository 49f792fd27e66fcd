"""Webhooks and the records of their deliveries."""

from typing import Annotated, Any, Literal

from pydantic import Field, SerializationInfo, SerializerFunctionWrapHandler, model_serializer

from .events import EventName
from .model import Reply, Request
from .page import ListQuery
from .values import Flag, Instant, Number, RecordInstant, ReplyInstant, Text, open_words

DeliveryStatus = Literal["pending", "delivering", "succeeded", "failed"]


class DeliveryQuery(ListQuery, total=False):
    """Which deliveries to a webhook are listed."""

    status: DeliveryStatus | None
    event_type: EventName | None
    response_class: Annotated[int | None, Field(ge=0, le=9, description="2 for 2xx; 0 for no answer.")]
    since: Annotated[Instant | None, Field(description="Created at or after.")]
    until: Annotated[Instant | None, Field(description="Created before.")]


class NewWebhook(Request):
    """The body of `POST /v1/webhooks`."""

    url: Annotated[Text, Field(max_length=2000, json_schema_extra={"format": "uri"})] = Field(
        description="The address that events are sent to."
    )
    events: Annotated[list[EventName], Field(min_length=1, max_length=100)]


class Webhook(Reply):
    """A registered address. `secret` is in the answer that creates it and in no other."""

    id: str
    url: str = Field(description="The address that events are sent to.")
    events: list[str]
    secret: str | None = None


class WebhookEvent(Reply):
    """The record of one event's delivery to one webhook. A date that is not known yet is an empty string on
    the wire and None here; `response_status` is 0 until there is an answer."""

    id: str = Field(description="The event, by its id.")
    attempts: Number
    response_status: Number
    last_attempt_at: RecordInstant
    next_attempt_at: RecordInstant
    successful_at: RecordInstant
    updated_at: RecordInstant
    created_at: RecordInstant
    status: Annotated[str, open_words(DeliveryStatus)] = Field(description="How far the delivery is.")
    event_type: str | None = Field(
        default=None, description="What happened, by the name that the webhook asks for it with."
    )

    @model_serializer(mode="wrap")
    def _blank_dates(
        self, serialize: SerializerFunctionWrapHandler, info: SerializationInfo
    ) -> dict[str, Any]:
        # Required strings, so one that has no date yet is blank and never left out.
        record: dict[str, Any] = serialize(self)
        names = _DATES.values() if info.by_alias else _DATES
        return record | {name: "" for name in names if record.get(name) is None}


_DATES = {
    "last_attempt_at": "lastAttemptAt",
    "next_attempt_at": "nextAttemptAt",
    "successful_at": "successfulAt",
}


class SentRequest(Reply):
    """The latest request as it was sent; `body` is the delivered event."""

    headers: dict[str, Any] = Field(description="The headers, as they were sent.")
    body: dict[str, Any] = Field(description="The body, as it was sent.")
    query: str = Field(description="The query string, as it was sent.")
    parsed_query: dict[str, Any] = Field(description="The parameters of the query by their names.")
    path: str = Field(description="The path that was called.")


class WebhookEventWithData(WebhookEvent):
    """The record of a delivery with the latest request."""

    data: SentRequest = Field(description="The latest request, as it was sent.")


class DeletedWebhook(Reply):
    """The id of the webhook that was deleted."""

    id: str = Field(description="The id of the webhook that was deleted.")


# Extensions: beyond the interface, see `/v1/openapi`.


MOST_MEASURED = 5_000


class DeliveryHealth(Reply):
    """Statistics of a webhook's deliveries in the past 24 hours. Rates and times are of attempts, at most of
    the newest 5,000; without an attempt they are left out."""

    attempts: int = Field(description="How many attempts were made.")
    success_rate: Annotated[float | None, Field(ge=0, le=1)] = Field(
        default=None, description="The share of attempts that succeeded, 0 to 1."
    )
    median_ms: int | None = Field(
        default=None, description="The median duration of an attempt, in milliseconds."
    )
    p95_ms: int | None = Field(
        default=None, description="The duration that 95 % of attempts stayed below, in milliseconds."
    )
    waiting: int = Field(description="How many deliveries are still to be made.")
    last_success_at: ReplyInstant = Field(default=None, description="When an attempt last succeeded.")
    last_failure_at: ReplyInstant = Field(default=None, description="When an attempt last failed.")
    last_failure: str | None = Field(default=None, description="The latest failure, as one word.")
    """The latest failure as one word, such as `timed_out`."""
    hours: list["DeliveryHour"] = Field(
        description="The hours in which the past 24 hours lie, the oldest first."
    )


class DeliveryHour(Reply):
    """Attempts that began in one hour."""

    began_at: ReplyInstant = Field(description="The beginning of the hour.")
    succeeded: int = Field(description="How many attempts succeeded.")
    failed: int = Field(description="How many attempts failed.")


class WebhookDetail(Reply):
    """A registered address, whether it is enabled, and the statistics of its deliveries."""

    id: str
    url: str = Field(description="The address that events are sent to.")
    events: list[str]
    enabled: bool
    disabled_reason: str | None = Field(default=None, description="Why nothing is sent to it.")
    slow_until: ReplyInstant = Field(
        default=None, description="Until when the receiver asked to be left alone."
    )
    created_at: ReplyInstant
    previous_secret_until: ReplyInstant = Field(
        default=None,
        description="Until when deliveries are signed with the latest of the earlier secrets as well.",
    )
    health: DeliveryHealth = Field(description="How deliveries of the past 24 hours went.")


class WebhookChange(Request):
    """The body of `PATCH /v1/webhooks/{id}`."""

    enabled: Flag


class RotatedSecret(Reply):
    """The new secret, shown once. Deliveries are signed with the previous one as well until
    `previous_secret_until`."""

    id: str = Field(description="The id of the webhook.")
    secret: str
    previous_secret_until: ReplyInstant = Field(
        description="Until when deliveries are signed with the secret before as well."
    )


class SentAgain(Reply):
    """The id of an event that is being delivered: a test, or one that is sent again."""

    event_id: str = Field(description="The event that is being delivered, by its id.")


class RedeliverSince(Request):
    """The body of `POST /v1/webhooks/{id}/events/redeliver`: all events since `since` that did not
    succeed."""

    since: Instant = Field(description="From when on events are sent again.")


class RedeliveredSince(Reply):
    """How many events are sent again."""

    count: int = Field(description="How many events are sent again.")


class DeliveryAttempt(Reply):
    """One attempt to deliver an event: the request's headers, the answer as far as it was received, and the
    result.

    `outcome` is `succeeded` or what went wrong as one word; `detail` says it in a sentence.
    """

    number: int = Field(description="The number of the attempt, from 1.")
    started_at: ReplyInstant = Field(description="When the attempt began.")
    duration_ms: int = Field(description="How long the attempt took, in milliseconds.")
    outcome: str = Field(description="`succeeded`, or what went wrong as one word.")
    detail: str | None = Field(default=None, description="The outcome in a sentence.")
    request_headers: dict[str, Any] = Field(description="The headers of the request.")
    response_status: int
    response_headers: dict[str, Any] | None = Field(
        default=None, description="The headers of the answer; absent where none came."
    )
    response_body: str | None = Field(default=None, description="The first 16 KiB of the answer, as text.")


class InboxMessage(Reply):
    """A delivery as it arrived in the built-in inbox. `fault` says what is wrong with its signature; it is
    left out when the signature holds."""

    id: str
    received_at: ReplyInstant = Field(description="When it arrived.")
    headers: dict[str, Any] = Field(description="The headers, as they arrived.")
    body: str = Field(description="The body, as it arrived.")
    fault: str | None = Field(
        default=None, description="What is wrong with the signature; absent where it is valid."
    )
