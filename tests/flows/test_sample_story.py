"""`parley up` makes its sample story through the interface: once, also when it is ended in the middle."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from app.client import ApiClient
from app.contract.deployment import SampleData
from tests.flows.deployment import parley_up

SECONDS = 180
SCOPES, NEGOTIATIONS, AGREEMENTS, WEBHOOKS, DELIVERIES = 9, 5, 14, 2, 30


def _wait(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + SECONDS
    while not holds():
        assert time.monotonic() < deadline, "the story did not get so far"
        time.sleep(0.2)


def _counts(sample: SampleData) -> tuple[int, int, int]:
    return len(sample.scope_ids), len(sample.negotiation_ids), len(sample.webhook_ids)


@pytest.mark.campaign
@pytest.mark.timeout(900)
def test_the_story_is_complete_after_an_interruption_and_removed_as_a_whole(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    with parley_up(folder) as deployment:
        key = deployment.new_key()
        with ApiClient(deployment.service, api_key=key) as parley:
            _wait(lambda: len(parley.sample.read().scope_ids) >= 3)
            assert _counts(parley.sample.read()) < (SCOPES, NEGOTIATIONS, WEBHOOKS), "ended in the middle"
    with parley_up(folder) as deployment, ApiClient(deployment.service, api_key=key) as parley:
        _wait(lambda: _counts(parley.sample.read()) == (SCOPES, NEGOTIATIONS, WEBHOOKS))
        documents = [one.document_processing for one in parley.scopes.iter(source="document")]
        assert len(documents) == 4
        _wait(
            lambda: {_status(parley, one.id) for one in parley.scopes.iter()} == {"completed", "failed", ""}
        )
        assert len(list(parley.agreements.iter())) == AGREEMENTS, "twelve by hand, two that were negotiated"
        # One waits for a go-ahead, one for a decision on the quote that it was read from.
        _wait(lambda: _list_states(parley) == ["active", "complete", "complete", "pending", "pending"])
        _assert_quotes_are_compared(parley)
        assert parley.negotiations.savings().total[0].savings > 0
        failing, inbox = parley.webhooks.list()
        # The second start has another port, so what is sent to the inbox of the first does not arrive.
        assert len(parley.webhooks.events(inbox.id).data) >= DELIVERIES
        [delivery] = parley.webhooks.events(failing.id).data
        _wait(lambda: parley.webhooks.event(failing.id, delivery.id).attempts >= 1)
        assert parley.webhooks.event(failing.id, delivery.id).next_attempt_at is not None
        waiting = {group.kind for group in parley.overview.read().waiting}
        assert waiting >= {"decision", "deadline", "review", "draft", "webhook"}
        assert _counts(parley.sample.read()) == (SCOPES, NEGOTIATIONS, WEBHOOKS), "nothing is doubled"
        _assert_renewals_know_what_the_market_knows(parley)
        removed = deployment.parley("sample", "remove")
        assert "80 suppliers" in removed
        assert _counts(parley.sample.read()) == (0, 0, 0)
        assert parley.catalog.companies().pagination.total == 0
        assert list(parley.agreements.iter()) == []
        assert list(parley.requirements.iter()) == []
        assert parley.overview.read().waiting == []


def _assert_renewals_know_what_the_market_knows(parley: ApiClient) -> None:
    """An edition that only the words of a line name is priced, and asked for."""
    steps = [(one.agreement_id, one.next_step) for one in parley.agreements.iter_market()]
    begun = parley.renewals.start(next(ident for ident, step in steps if step and step.action == "ask"))
    assert begun.scope_id is not None
    assert parley.scopes.get(begun.scope_id).product_terms


def _list_states(parley: ApiClient) -> list[str]:
    return sorted(one.status for one in parley.negotiations.iter())


def _status(parley: ApiClient, scope_id: str) -> str:
    document = parley.scopes.get(scope_id).document_processing
    return document.status if document else ""


def _assert_quotes_are_compared(parley: ApiClient) -> None:
    [requirement] = parley.requirements.iter()
    assert requirement.quote_count == 3
    scenarios = parley.requirements.list_scenarios(requirement.id).data
    assert len(scenarios) == 6
    assert {one.objective for one in scenarios} == {
        *("by_hand", "earliest", "cheapest_single", "cheapest_split")
    }
