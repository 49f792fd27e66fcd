from app.contract.webhooks import DeliveryAttempt
from components.webhooks.delivery_detail import draw_attempt_timeline, draw_next_attempt
from tests.components.fixtures import NOON
from tests.components.webhooks.fixtures import make_deliveries


def example() -> None:
    draw_next_attempt(make_deliveries()[1], NOON)
    draw_attempt_timeline(
        [
            DeliveryAttempt(
                number=1,
                started_at=NOON,
                duration_ms=5003,
                outcome="timed_out",
                detail="No answer within 5 s.",
                request_headers={},
                response_status=0,
            ),
            DeliveryAttempt(
                number=2,
                started_at=NOON,
                duration_ms=41,
                outcome="succeeded",
                request_headers={},
                response_status=200,
                response_headers={"content-type": "text/plain", "set-cookie": "a=b"},
                response_body="ok",
            ),
        ],
    )
