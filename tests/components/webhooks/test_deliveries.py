"""A delivery explains itself and gives no secret away."""

import re
from datetime import timedelta

import pytest
from standardwebhooks import Webhook
from streamlit.testing.v1 import AppTest

from components.webhooks.delivery_detail import format_countdown
from components.webhooks.response_advice import explain_response, format_status
from components.webhooks.signature_steps import (
    compute_signature,
    encode_body,
    format_curl,
    get_signed_content,
    has_signature,
    redact_url,
)
from tests.components.fixtures import NOON
from tests.components.webhooks.fixtures import make_deliveries, make_delivery

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


def test_the_signature_is_the_one_that_receivers_check() -> None:
    record = make_delivery()
    wanted = Webhook(SECRET).sign("msg_1", NOON, encode_body(record.data.body).decode())
    headers = {"Webhook-Id": "msg_1", "webhook-timestamp": f"{NOON.timestamp():.0f}"}
    signed = get_signed_content(headers | {"webhook-signature": f"v1,AAAA {wanted}"}, record.data.body)
    assert signed is not None
    assert compute_signature(SECRET, signed) == wanted
    assert has_signature(signed.signature, wanted)
    assert not has_signature(signed.signature, compute_signature("whsec_AAAA", signed))


def test_a_secret_that_is_none_is_refused() -> None:
    record = make_delivery()
    signed = get_signed_content(record.data.headers, record.data.body)
    assert signed is not None
    with pytest.raises(ValueError, match="base64"):
        compute_signature("whsec_not base64!", signed)


def test_a_command_holds_no_secret() -> None:
    command = format_curl(
        "https://user:pass@example.com/h?token=abc&a=b",
        {"Authorization": "Bearer xyz", "X-Api-Key": "k1", "webhook-id": "1", "host": "example.com"},
        b'{"it":"\'s"}',
    )
    for secret in ("pass", "abc", "xyz", "k1"):
        assert secret not in command
    assert "webhook-id: 1" in command
    assert "host:" not in command
    assert "a=b" in command
    assert "'\"'\"'" in command, "a quote in the body stays inside its argument"


def test_an_address_without_secrets_is_left_as_it_is() -> None:
    assert redact_url("https://example.com:8443/a/b?c=d") == "https://example.com:8443/a/b?c=d"


@pytest.mark.parametrize("code", [0, 204, 302, 404, 410, 418, 429, 500, 503, 599])
def test_every_answer_has_a_meaning(code: int) -> None:
    assert explain_response(code).endswith(".")
    assert format_status(code)


def test_the_next_attempt_is_counted_down() -> None:
    pending = make_deliveries()[1]
    assert format_countdown(pending, NOON) == "Next attempt in 5 min."
    assert format_countdown(pending, NOON + timedelta(hours=1)) == "The next attempt is due."
    assert format_countdown(make_deliveries()[2], NOON) == ""


def once() -> None:
    import streamlit as st

    from components.elements.empty_state import draw_one_time_secret

    def stored() -> None:
        st.session_state["stored"] = True

    if not st.session_state.get("stored"):
        draw_one_time_secret("whsec_eHg=", "The secret", "Store it.", key="s", on_stored=stored)


def test_a_secret_goes_when_it_is_stored() -> None:
    app = AppTest.from_function(once).run()
    assert app.code[0].value == "whsec_eHg="
    app.button(key="s-stored").click().run()
    assert not app.code


def detail() -> None:
    from tests.components.examples.webhooks import delivery_detail

    delivery_detail.example()


def test_what_is_drawn_holds_no_credential() -> None:
    app = AppTest.from_function(detail, default_timeout=30).run()
    assert not app.exception
    drawn = " ".join(code.value for code in app.code) + " ".join(
        str(one.proto.body) for one in app.get("html")
    )
    for secret in ("not-for-your-eyes", "pass@", "token=abc"):
        assert secret not in drawn


@pytest.mark.campaign
def test_hours_are_bars_that_say_their_figures_and_show_a_single_failure() -> None:
    def draw() -> None:
        from datetime import UTC, datetime, timedelta

        from app.contract.webhooks import DeliveryHour
        from components.webhooks.webhooks import draw_hourly_deliveries

        noon = datetime(2026, 11, 20, 12, tzinfo=UTC)
        counts = [(9_999, 1), (0, 0), (5_000, 0)]
        hours = [
            DeliveryHour(began_at=noon + timedelta(hours=number), succeeded=good, failed=bad)
            for number, (good, bad) in enumerate(counts)
        ]
        draw_hourly_deliveries(hours, alt='15,000 attempts, "by the hour"')

    [drawn] = AppTest.from_function(draw).run().get("html")
    markup = drawn.proto.body
    assert 'aria-label="15,000 attempts, &quot;by the hour&quot;"' in markup
    assert 'title="12:00: 9,999 succeeded, 1 failed"' in markup
    assert re.findall(r"height:([\d.]+)px;background", markup) == ["2", "70", "36"]
