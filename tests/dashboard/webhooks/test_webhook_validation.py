"""What was entered becomes a webhook to register, or names what is wrong."""

import pytest

from app.dashboard.webhooks.webhook_validation import validate_webhook


@pytest.mark.parametrize(
    "url", ["", "example.com", "file:///etc/passwd", "https://", "http://[", "ftp://a.b"]
)
def test_an_address_that_is_none_is_named(url: str) -> None:
    assert list(validate_webhook(url, ["scope.extracted"]).faults) == ["url"]


def test_a_webhook_needs_an_event() -> None:
    assert list(validate_webhook("https://a.example", []).faults) == ["events"]
    assert list(validate_webhook("https://a.example", ["no.such"]).faults) == ["events"]


def test_events_are_sent_in_the_interfaces_order() -> None:
    body = validate_webhook(" https://a.example ", ["negotiation.escalation.created", "scope.extracted"]).body
    assert body is not None
    assert body.wire() == {
        "url": "https://a.example",
        "events": ["scope.extracted", "negotiation.escalation.created"],
    }
