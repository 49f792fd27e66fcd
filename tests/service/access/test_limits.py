"""The rate limit: in one process, over several, and what the headers say."""

from datetime import UTC, datetime, timedelta

import pytest
from starlette.testclient import TestClient

from app.service.access.limits import RateLimiter
from app.service.context import Context
from app.service.http.dependencies import CONTEXT
from app.service.main import create_service
from app.settings import Settings
from tests.service.conftest import key_for
from tests.service.migrated_database import provide_schema

pytestmark = pytest.mark.both_stores

NOON = datetime(2026, 11, 20, 12, 0, 30, tzinfo=UTC)


def test_the_request_over_the_limit_is_429_and_says_when_to_come_back(settings: Settings) -> None:
    app = create_service(settings.model_copy(update={"rate_limit": 3}), lambda: NOON)
    context = CONTEXT.get(app)
    provide_schema(context.database)
    with TestClient(app, headers={"Authorization": f"Bearer {key_for(context)}"}) as api:
        answers = [api.get("/v1/scope") for _ in range(4)]
        assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
        assert answers[0].headers["ratelimit-policy"] == '"default";q=3;w=60'
        assert answers[0].headers["ratelimit"] == '"default";r=2;t=30'
        assert answers[3].headers["retry-after"] == "30"
        assert answers[3].headers["ratelimit"] == '"default";r=0;t=30'
        other = {"Authorization": f"Bearer {key_for(context)}"}
        assert api.get("/v1/scope", headers=other).status_code == 200


def test_a_call_of_an_agent_that_the_limit_refused_is_recorded(settings: Settings) -> None:
    app = create_service(settings.model_copy(update={"rate_limit": 2}), lambda: NOON)
    context = CONTEXT.get(app)
    provide_schema(context.database)
    call = {"tool": "find_products", "outcome": "service_error", "status": 429, "seconds": 0.1}
    with TestClient(app, headers={"Authorization": f"Bearer {key_for(context)}"}) as api:
        assert [api.get("/v1/search?q=seats").status_code for _ in range(3)] == [200, 200, 429]
        codes = [api.post("/v1/agents/calls", json=call).status_code for _ in range(3)]
        assert codes == [201, 201, 429]
        assert api.get("/v1/search?q=seats").status_code == 429


def test_a_new_minute_starts_anew() -> None:
    limits = RateLimiter(1)
    first = limits.count_request("k", NOON)
    second = limits.count_request("k", NOON)
    assert first is not None
    assert second is not None
    assert not first.exceeded
    assert second.exceeded
    later = limits.count_request("k", NOON + timedelta(seconds=30))
    assert later is not None
    assert not later.exceeded


def test_several_processes_hold_one_limit(context: Context) -> None:
    one, other = RateLimiter(10), RateLimiter(10)
    key_for(context)
    for _ in range(6):
        one.count_request("k", NOON)
    one.synchronise(context.database)
    for _ in range(3):
        other.count_request("k", NOON)
    other.synchronise(context.database)
    allowance = other.count_request("k", NOON)
    assert allowance is not None
    assert allowance.remaining == 0
    refused = other.count_request("k", NOON)
    assert refused is not None
    assert refused.exceeded


def test_a_clock_that_is_set_back_leaves_no_count_for_the_minutes_to_come(context: Context) -> None:
    key_for(context)
    limits = RateLimiter(10)
    for _ in range(10):
        limits.count_request("k", NOON)
    limits.synchronise(context.database)
    for moment in (NOON - timedelta(hours=1), NOON):
        first = limits.count_request("k", moment)
        assert first is not None
        assert first.remaining == 9
        limits.synchronise(context.database)
        second = limits.count_request("k", moment)
        assert second is not None
        assert second.remaining == 8


def test_no_limit_counts_nothing() -> None:
    assert RateLimiter(0).count_request("k", NOON) is None
