"""What was entered becomes a webhook to register, or names what is wrong."""

import pytest

from app.dashboard.deployment import Deployment
from app.dashboard.webhooks import make_webhook_form

FORM = make_webhook_form(Deployment("https://parley.example", "key"))


@pytest.mark.parametrize(
    "url", ["", "example.com", "file:///etc/passwd", "https://", "http://[", "ftp://a.b"]
)
def test_an_address_that_is_none_is_named(url: str) -> None:
    assert list(FORM.check_values({"url": url, "scope.extracted": True}).faults) == ["url"]


def test_a_webhook_needs_an_event() -> None:
    assert list(FORM.check_values({"url": "https://a.example"}).faults) == ["events"]


def test_events_are_sent_in_the_interfaces_order() -> None:
    chosen = {"negotiation.escalation.created": True, "scope.extracted": True}
    body = FORM.check_values({"url": "https://a.example", **chosen}).body
    assert body is not None
    assert body.wire() == {
        "url": "https://a.example",
        "events": ["scope.extracted", "negotiation.escalation.created"],
    }
