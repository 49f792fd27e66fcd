"""Webhooks and deliveries for the examples of the components."""

from datetime import timedelta
from decimal import Decimal

from app.contract.webhooks import (
    DeliveryHealth,
    DeliveryHour,
    SentRequest,
    WebhookDetail,
    WebhookEvent,
    WebhookEventWithData,
)
from tests.components.fixtures import NOON, make_id


def make_deliveries() -> list[WebhookEvent]:
    """Return a delivery of each status, newest first."""
    return [
        WebhookEvent(
            id=make_id(400 + at),
            attempts=Decimal(attempts),
            response_status=Decimal(answer),
            last_attempt_at=NOON if attempts else None,
            next_attempt_at=NOON + timedelta(minutes=5) if status == "pending" else None,
            successful_at=NOON if status == "succeeded" else None,
            updated_at=NOON,
            created_at=NOON - timedelta(minutes=at),
            status=status,
        )
        for at, (status, attempts, answer) in enumerate(
            [("delivering", 0, 0), ("pending", 2, 503), ("succeeded", 1, 204), ("failed", 10, 0)]
        )
    ]


def make_delivery() -> WebhookEventWithData:
    """Return a delivery that was refused once and will be tried again."""
    body = {
        "eventType": "scope.extracted",
        "data": {"scopeId": make_id(70), "status": "completed"},
    }
    return WebhookEventWithData(
        **make_deliveries()[1].model_dump(),
        data=SentRequest(
            headers={
                "content-type": "application/json",
                "webhook-id": make_id(401),
                "webhook-timestamp": "1772452800",
                "webhook-signature": "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
                "authorization": "Bearer not-for-your-eyes",
            },
            body=body,
            query="source=parley&token=abc",
            parsed_query={"source": "parley"},
            path="/hooks/parley",
        ),
    )


def make_webhook_detail() -> WebhookDetail:
    """Return a webhook that was turned off, with its past day."""
    day = [NOON - timedelta(hours=at) for at in range(24, 0, -1)]
    return WebhookDetail(
        id=make_id(1),
        url="https://example.com/hooks",
        events=["scope.extracted"],
        enabled=False,
        disabled_reason="The receiver answered 410.",
        created_at=day[0],
        health=DeliveryHealth(
            attempts=1240,
            success_rate=0.984,
            median_ms=38,
            p95_ms=210,
            waiting=3,
            last_failure_at=day[-2],
            last_failure="timed_out",
            hours=[
                DeliveryHour(began_at=hour, succeeded=50 - at, failed=at % 3) for at, hour in enumerate(day)
            ],
        ),
    )
