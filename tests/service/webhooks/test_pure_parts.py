"""Signatures, schedule, outcomes and pace, without I/O."""

import base64
import hashlib
import hmac
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from standardwebhooks import Webhook

from app.service.webhooks.attempt_result import (
    AttemptResult,
    EndpointResponse,
    Outcome,
    compute_next_attempt,
    interpret_response,
    parse_retry_after,
)
from app.service.webhooks.sending_limits import MAX_IN_FLIGHT, ConcurrencyLimit
from app.service.webhooks.signing import (
    InvalidSecret,
    Signer,
    decode_secret,
    encode_secret,
    find_signature_fault,
)
from app.settings import RETRY_SCHEDULE

NOW = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
STAMP = int(NOW.timestamp())


@given(key=st.binary(min_size=1, max_size=200), body=st.binary(max_size=5000))
def test_the_signature_is_hmac_sha256_of_id_timestamp_and_body(key: bytes, body: bytes) -> None:
    signature = Signer([key]).sign(message_id="m", timestamp=STAMP, body=body)
    expected = hmac.new(key, b"m.%d.%s" % (STAMP, body), hashlib.sha256).digest()
    assert signature == "v1," + base64.b64encode(expected).decode()


def test_during_a_rotation_a_receiver_may_know_either_secret() -> None:
    old, new = b"o" * 32, b"n" * 32
    now = int(datetime.now(UTC).timestamp())
    signature = Signer([new, old]).sign(message_id="m", timestamp=now, body=b"{}")
    headers = {"webhook-id": "m", "webhook-timestamp": str(now), "webhook-signature": signature}
    for key in (old, new):
        assert Webhook(encode_secret(key)).verify(b"{}", headers) == {}


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({}, None),
        ({"body": b"[]"}, "no signature matches the secret"),
        ({"signature": "v1,AAAA"}, "no signature matches the secret"),
        ({"signature": None}, "missing"),
        ({"timestamp": "soon"}, "no whole number"),
        ({"now": STAMP + 301}, "5 minutes off"),
        ({"now": STAMP - 301}, "5 minutes off"),
    ],
)
def test_a_receiver_is_told_what_is_wrong_with_a_signature(
    change: dict[str, object], fault: str | None
) -> None:
    key = b"k" * 32
    given_: dict[str, object] = {
        "message_id": "m",
        "timestamp": str(STAMP),
        "signature": "v1,AAAA " + Signer([key]).sign(message_id="m", timestamp=STAMP, body=b"{}"),
        "body": b"{}",
        "now": STAMP,
    }
    found = find_signature_fault(key, **(given_ | change))  # type: ignore[arg-type]
    assert found is None if fault is None else fault in (found or "")


@pytest.mark.parametrize("secret", ["whsec_!", "whsec_\u00e9", "no base64 at all"])
def test_a_secret_that_is_none_is_refused(secret: str) -> None:
    with pytest.raises(InvalidSecret):
        decode_secret(secret)


def test_the_schedule_is_followed_to_its_end_with_jitter() -> None:
    for tried, seconds in enumerate(RETRY_SCHEDULE):
        for chance in (0.0, 0.5, 1.0):
            due = compute_next_attempt(RETRY_SCHEDULE, tried=tried, now=NOW, jitter=chance)
            assert due is not None
            assert 0.9 * seconds <= round((due - NOW).total_seconds(), 3) <= round(1.1 * seconds, 3)
    assert compute_next_attempt(RETRY_SCHEDULE, tried=len(RETRY_SCHEDULE), now=NOW, jitter=0.5) is None


def test_a_wish_to_wait_can_delay_and_never_hasten() -> None:
    def due(wish: float) -> float:
        moment = compute_next_attempt((0, 300), tried=1, now=NOW, jitter=0.5, retry_after=wish)
        assert moment is not None
        return (moment - NOW).total_seconds()

    assert due(1) == 300
    assert due(900) == 900
    assert due(10**9) == 24 * 3600


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("120", 120),
        (" 0 ", 0),
        ("Fri, 20 Nov 2026 09:31:00 GMT", 60),
        ("Fri, 20 Nov 2026 09:00:00 GMT", 0),
        ("-5", None),
        ("1.5", None),
        ("soon", None),
        ("", None),
        ("9" * 400, 999_999_999),
        ("0" * 20 + "7", 7),
        ("1" + "0" * 20, 999_999_999),
        ("Mon, 01 Jan 0001 00:00:00 +2359", 0),
        ("Fri, 99 Nov 2026 09:00:00 GMT", None),
        (None, None),
    ],
)
def test_retry_after_is_read_in_both_its_forms(value: str | None, seconds: float | None) -> None:
    assert parse_retry_after(value, NOW) == seconds


def judged(status: int, **headers: str) -> AttemptResult:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return interpret_response(EndpointResponse(status, named, b""), now=NOW)


def test_gone_turns_the_webhook_off_and_ends_the_event() -> None:
    gone = judged(410)
    assert (gone.outcome, gone.final) == (Outcome.GONE, True)
    assert gone.disable_reason == "The endpoint answered 410 Gone."


def test_an_answer_can_ask_to_be_called_no_more_or_to_be_spared_one_event() -> None:
    assert judged(200, webhook_delivery="disable").disable_reason is not None
    assert judged(200, webhook_delivery="disable").succeeded
    assert judged(500, webhook_delivery="disable").final
    spared = judged(500, webhook_delivery="abort-message")
    assert (spared.final, spared.disable_reason) == (True, None)
    assert not judged(500, webhook_delivery="whatever").final


@pytest.mark.parametrize("status", [300, 302, 400, 401, 404, 408, 418, 429, 500, 502, 503, 504])
def test_other_failures_are_tried_again(status: int) -> None:
    found = judged(status, retry_after="7")
    assert not found.succeeded
    assert not found.final
    assert found.disable_reason is None
    assert found.retry_after == 7
    assert found.overloaded == (status in {429, 502, 504})


def test_overload_halves_what_an_endpoint_gets_and_success_brings_it_back() -> None:
    pace = ConcurrencyLimit()
    slow = AttemptResult(Outcome.THROTTLED, overloaded=True)
    assert [pace.record_result(slow) for _ in range(8)] == [1, 2, 4, 8, 16, 32, 60, 60]
    assert pace.limit == 1
    for _ in range(100):
        assert pace.record_result(AttemptResult(Outcome.SUCCEEDED)) == 0
    assert pace.limit == MAX_IN_FLIGHT
    assert pace.record_result(AttemptResult(Outcome.THROTTLED, overloaded=True, retry_after=30)) == 30
    assert pace.record_result(AttemptResult(Outcome.THROTTLED, overloaded=True, retry_after=10**6)) == 3600


def test_a_time_out_narrows_without_a_pause_and_a_plain_refusal_does_neither() -> None:
    pace = ConcurrencyLimit()
    assert pace.record_result(AttemptResult(Outcome.TIMED_OUT, overloaded=True)) == 0
    assert pace.limit == MAX_IN_FLIGHT // 2
    assert pace.record_result(AttemptResult(Outcome.REJECTED)) == 0
    assert pace.limit == MAX_IN_FLIGHT // 2


def test_the_default_schedule_ends_before_five_days() -> None:
    assert sum(RETRY_SCHEDULE) * 1.1 < timedelta(days=5).total_seconds()
