"""A call is tried again only when that cannot do a thing twice."""

from collections.abc import Callable
from typing import Any

import pytest

from app.client import (
    ApiClient,
    ApiError,
    Conflict,
    NotFound,
    RateLimited,
    Retries,
    ServiceFailed,
    TimedOut,
    Timeouts,
    Unreachable,
)
from app.contract.scope import NewScope
from tests.client import records
from tests.client.conftest import API_KEY
from tests.client.flavours import Connect, of_their_core
from tests.client.records import ID
from tests.client.scripted import CutsShort, Hangs, Resets, Says, ScriptedService, Step

NEW_SCOPE = NewScope.model_validate(records.new_scope())

Ask = Callable[[ApiClient], Any]


def read(parley: ApiClient) -> Any:
    return parley.catalog.company(ID)


def delete(parley: ApiClient) -> Any:
    return parley.webhooks.delete("w1")


def post(parley: ApiClient) -> Any:
    return parley.scopes.create(NEW_SCOPE)


def patch(parley: ApiClient) -> Any:
    return parley.webhooks.update("w1", enabled=True)


GOOD: dict[Ask, Says] = {
    read: Says(200, records.company()),
    delete: Says(200, {"id": "w1"}),
    post: Says(201, records.scope()),
    patch: Says(200, records.webhook_detail()),
}


@pytest.mark.parametrize("ask", [read, delete, post])
@pytest.mark.parametrize(
    "failure", [Says(429), Says(502), Says(503), Says(504), Resets(), CutsShort()], ids=repr
)
def test_a_passing_failure_is_tried_again(
    service: ScriptedService, parley: ApiClient, ask: Ask, failure: Step
) -> None:
    service.script(failure, failure, GOOD[ask])
    ask(parley)
    assert len(service.received) == 3


@of_their_core
@pytest.mark.parametrize("ask", [read, delete, post, patch])
@pytest.mark.parametrize("status", [400, 401, 403, 404, 405, 409, 413, 415, 422, 500, 501])
def test_an_answer_that_stands_is_not_asked_for_again(
    service: ScriptedService, parley: ApiClient, ask: Ask, status: int
) -> None:
    service.script(Says(status, records.problem(status)))
    with pytest.raises(ApiError) as raised:
        ask(parley)
    assert raised.value.status == status
    assert len(service.received) == 1


@pytest.mark.parametrize("failure", [Says(502), Says(503), Says(504), Resets(), CutsShort()], ids=repr)
def test_a_patch_that_may_have_happened_is_not_repeated(
    service: ScriptedService, parley: ApiClient, failure: Step
) -> None:
    service.script(failure, GOOD[patch])
    with pytest.raises((ServiceFailed, Unreachable)):
        patch(parley)
    assert len(service.received) == 1


def test_a_patch_that_was_refused_unseen_is_repeated(service: ScriptedService, parley: ApiClient) -> None:
    service.script(Says(429), GOOD[patch])
    patch(parley)
    assert len(service.received) == 2


def test_a_post_keeps_its_idempotency_key_over_all_tries(service: ScriptedService, parley: ApiClient) -> None:
    service.script(Resets(), Says(503), GOOD[post])
    post(parley)
    assert len({request.headers["idempotency-key"] for request in service.received}) == 1
    assert len({request.body for request in service.received}) == 1


def test_two_calls_have_two_idempotency_keys(service: ScriptedService, parley: ApiClient) -> None:
    service.script(GOOD[post])
    post(parley)
    post(parley)
    assert len({request.headers["idempotency-key"] for request in service.received}) == 2


def test_a_caller_may_bring_an_idempotency_key(service: ScriptedService, parley: ApiClient) -> None:
    service.script(GOOD[post])
    parley.scopes.create(NEW_SCOPE, idempotency_key="the-button-pressed-once")
    assert service.received[0].headers["idempotency-key"] == "the-button-pressed-once"


def test_reads_carry_no_idempotency_key(service: ScriptedService, parley: ApiClient) -> None:
    service.script(GOOD[read])
    read(parley)
    assert "idempotency-key" not in service.received[0].headers


def test_posts_are_sent_once_where_idempotency_keys_are_not_honoured(
    service: ScriptedService, connect: Connect
) -> None:
    service.script(Says(503), GOOD[post])
    with (
        connect(service.address, api_key=API_KEY, retries=Retries(keyed_posts=False)) as parley,
        pytest.raises(ServiceFailed),
    ):
        post(parley)
    assert len(service.received) == 1


def test_a_post_whose_answer_was_lost_waits_for_its_first_try_to_end(
    service: ScriptedService, parley: ApiClient
) -> None:
    service.script(Resets(), Says(409, records.problem(409)), GOOD[post])
    assert post(parley).id == ID
    assert len(service.received) == 3


def test_a_conflict_that_names_a_wait_is_a_first_call_that_still_runs(
    service: ScriptedService, parley: ApiClient, pauses: list[float]
) -> None:
    service.script(Says(409, records.problem(409), {"retry-after": "1"}), GOOD[post])
    post(parley)
    assert len(service.received) == 2
    assert pauses[0] >= 1


def test_a_conflict_that_stays_is_told_in_the_end(service: ScriptedService, parley: ApiClient) -> None:
    service.script(Resets(), Says(409, records.problem(409)))
    with pytest.raises(Conflict) as raised:
        post(parley)
    assert raised.value.tries == len(service.received) == 3


@pytest.mark.parametrize("ask", [read, delete, post, patch])
def test_a_connection_that_was_never_made_is_tried_again_whatever_the_method(
    ask: Ask, connect: Connect
) -> None:
    closed = ScriptedService()
    closed.close()
    pauses: list[float] = []
    with connect(closed.address, sleep=pauses.append) as parley, pytest.raises(Unreachable) as raised:
        ask(parley)
    assert raised.value.tries == 3
    assert len(pauses) == 2


def test_tries_end(service: ScriptedService, pauses: list[float], connect: Connect) -> None:
    service.script(Says(503, records.problem(503)))
    retries = Retries(tries=5)
    with (
        connect(service.address, retries=retries, sleep=pauses.append) as parley,
        pytest.raises(ServiceFailed) as raised,
    ):
        read(parley)
    assert raised.value.tries == len(service.received) == 5
    assert len(pauses) == 4


def test_a_client_can_be_told_to_try_once(service: ScriptedService, connect: Connect) -> None:
    service.script(Says(503))
    with connect(service.address, retries=Retries(tries=1)) as parley, pytest.raises(ServiceFailed):
        read(parley)
    assert len(service.received) == 1


def test_no_tries_at_all_are_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        Retries(tries=0)


def test_pauses_are_drawn_from_a_doubling_span(service: ScriptedService, connect: Connect) -> None:
    service.script(Says(503))
    pauses: list[float] = []
    retries = Retries(tries=7, first_wait=1, longest_wait=8)
    with (
        connect(service.address, retries=retries, sleep=pauses.append, jitter=lambda: 1.0) as parley,
        pytest.raises(ServiceFailed),
    ):
        read(parley)
    assert pauses == [1, 2, 4, 8, 8, 8]


def test_a_pause_may_be_any_part_of_its_span(service: ScriptedService, connect: Connect) -> None:
    service.script(Says(503))
    draws = iter([0.0, 0.25])
    pauses: list[float] = []
    with (
        connect(service.address, sleep=pauses.append, jitter=lambda: next(draws)) as parley,
        pytest.raises(ServiceFailed),
    ):
        read(parley)
    assert pauses == [0.0, 0.25 * 1.0]


def test_a_wait_that_is_asked_for_is_kept_to(
    service: ScriptedService, parley: ApiClient, pauses: list[float]
) -> None:
    service.script(Says(429, b"", {"retry-after": "7"}), GOOD[read])
    read(parley)
    assert 7 <= pauses[0] <= 7.5


def test_a_wait_until_a_date_is_kept_to(
    service: ScriptedService, parley: ApiClient, pauses: list[float]
) -> None:
    headers = {"retry-after": "Fri, 20 Nov 2026 09:30:05 GMT", "date": "Fri, 20 Nov 2026 09:30:00 GMT"}
    service.script(Says(503, b"", headers), GOOD[read])
    read(parley)
    assert pauses[0] >= 0


def test_a_wait_that_is_too_long_is_not_begun(
    service: ScriptedService, parley: ApiClient, pauses: list[float]
) -> None:
    service.script(Says(429, records.problem(429), {"retry-after": "3600"}))
    with pytest.raises(RateLimited) as raised:
        read(parley)
    assert raised.value.retry_after == 3600
    assert len(service.received) == 1
    assert not pauses


def test_a_delete_that_was_done_by_a_lost_try_ends_in_not_found(
    service: ScriptedService, parley: ApiClient
) -> None:
    service.script(Resets(), Says(404, records.problem(404)))
    with pytest.raises(NotFound) as raised:
        delete(parley)
    assert raised.value.tries == 2


@pytest.mark.campaign
def test_silence_is_tried_again_and_told_as_a_timeout(service: ScriptedService, connect: Connect) -> None:
    service.script(Hangs())
    with (
        connect(service.address, timeouts=Timeouts(read=0.1), sleep=lambda _: None) as parley,
        pytest.raises(TimedOut),
    ):
        read(parley)
    assert len(service.received) == 3


def test_a_redirect_is_never_followed(service: ScriptedService, parley: ApiClient) -> None:
    service.script(Says(307, b"", {"location": f"{service.address}/v1/catalog/companies/elsewhere"}))
    with pytest.raises(ApiError, match="redirect"):
        read(parley)
    assert len(service.received) == 1
