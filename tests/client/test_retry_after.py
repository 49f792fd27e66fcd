"""`Retry-After` is read in both forms of RFC 9110, 10.2.3."""

import pytest

from app.client.retry import parse_retry_after

NOON = 1_795_176_000.0  # 2026-11-20T12:00:00Z


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": ""}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-5"}, None),
        ({"retry-after": "1.5"}, None),
        ({"retry-after": "²"}, None),
        ({"retry-after": "0"}, 0),
        ({"retry-after": " 120 "}, 120),
        ({"retry-after": "9" * 400}, 999_999_999),
        ({"retry-after": "0" * 20 + "7"}, 7),
        ({"retry-after": "1" + "0" * 20}, 999_999_999),
        ({"retry-after": "Mon, 01 Jan 0001 00:00:00 +2359"}, 0),
        ({"retry-after": "Fri, 20 Nov 2026 12:00:30 GMT"}, 30),
        ({"retry-after": "Friday, 20-Nov-26 12:00:30 GMT"}, 30),
        ({"retry-after": "Fri Nov 20 12:00:30 2026"}, 30),
        ({"retry-after": "Fri, 20 Nov 2026 11:00:00 GMT"}, 0),
        ({"retry-after": "Fri, 99 Nov 2026 11:00:00 GMT"}, None),
    ],
)
def test_a_wait_is_read_in_seconds(headers: dict[str, str], seconds: float | None) -> None:
    assert parse_retry_after(headers, clock=lambda: NOON) == seconds


def test_a_date_is_taken_against_the_clock_of_the_service() -> None:
    headers = {"retry-after": "Fri, 20 Nov 2026 12:00:30 GMT", "date": "Fri, 20 Nov 2026 12:00:20 GMT"}
    assert parse_retry_after(headers, clock=lambda: NOON - 9000) == 10
