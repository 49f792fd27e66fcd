"""The moment since which changes are shown is what the browser remembers of the visit before."""

from datetime import UTC, datetime, timedelta

import pytest

from app.dashboard.deployment import Deployment
from app.dashboard.last_visit import BREAK_SECONDS, cookie_name, read_last_visit

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
BEFORE, JUST_NOW = NOW - timedelta(days=1), NOW - timedelta(seconds=BREAK_SECONDS - 1)


def moments(before: datetime | None, latest: datetime) -> dict[str, str]:
    return {"visit": f"{int(before.timestamp()) if before else 0}.{int(latest.timestamp())}"}


def test_a_visit_ends_when_the_dashboard_was_off_screen_for_a_while() -> None:
    ended = NOW - timedelta(seconds=BREAK_SECONDS + 1)
    assert read_last_visit(moments(BEFORE, ended), "visit", NOW) == ended
    assert read_last_visit(moments(BEFORE, JUST_NOW), "visit", NOW) == BEFORE, "the visit goes on"
    assert read_last_visit(moments(None, JUST_NOW), "visit", NOW) is None, "the first visit"


@pytest.mark.parametrize("value", ["", "1", "a.b", "-1.5", "1.5.7", "²." + "9" * 3, "9" * 400 + ".1"])
def test_a_cookie_that_holds_anything_else_is_no_visit(value: str) -> None:
    assert read_last_visit({"visit": value}, "visit", NOW) is None


def test_each_person_has_a_visit_that_a_new_key_does_not_end() -> None:
    deployment = Deployment("http://a", "key")
    assert cookie_name(Deployment("http://a", "another key")) == cookie_name(deployment)
    others = (Deployment("http://b", "key"), Deployment("http://a", "key", end_user="kim"))
    assert cookie_name(deployment) not in {cookie_name(other) for other in others}
