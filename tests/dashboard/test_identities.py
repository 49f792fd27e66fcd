"""Two who share a process never see each other's data."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from app.client import NotFound
from app.contract.scope import NewScope
from app.dashboard.api import queries
from app.dashboard.deployment import Deployment
from tests.dashboard.conftest import RunningService
from tests.dashboard.seed_data import PLATFORM, stable_id


def new_scope(price: int) -> NewScope:
    return NewScope.model_validate(
        {
            "scopeTerms": [{"termLength": 12, "purchaseType": "new_purchase", "finalPrice": price}],
            "productTerms": [
                {
                    "productId": PLATFORM,
                    "pricingDimensions": [{"id": stable_id("dimension users"), "value": 5}],
                }
            ],
        }
    )


@pytest.fixture
def two(service: RunningService, deployment: Deployment) -> tuple[Deployment, Deployment]:
    """Of two organisations that nobody else uses."""
    return (
        Deployment(service.address, service.key("First of two")),
        Deployment(service.address, service.key("Second of two")),
    )


def test_one_is_never_given_what_the_other_read(two: tuple[Deployment, Deployment]) -> None:
    first, second = two
    made = queries.client_for(first).scopes.create(new_scope(100))
    assert queries.load_scope(first, made.id).id == made.id
    with pytest.raises(NotFound):
        queries.load_scope(second, made.id)
    assert [scope.id for scope in queries.load_scopes(first, limit=1).data] == [made.id]
    assert made.id not in [scope.id for scope in queries.load_scopes(second).data]


def test_the_end_user_keeps_reads_apart_too(service: RunningService, deployment: Deployment) -> None:
    key = service.key("Shared key")
    ann, ben = (Deployment(service.address, key, end_user=name) for name in ("ann", "ben"))
    queries.load_companies(ann)
    queries.load_companies(ben)
    assert [call.template for call in queries.list_calls(ann)] == ["/v1/catalog/companies"]
    assert [call.template for call in queries.list_calls(ben)] == ["/v1/catalog/companies"]


@pytest.mark.campaign
def test_many_at_once_keep_apart(two: tuple[Deployment, Deployment]) -> None:
    first, second = two
    mine = queries.client_for(first).scopes.create(new_scope(1)).id
    theirs = queries.client_for(second).scopes.create(new_scope(2)).id

    def read(number: int) -> bool:
        who, own, other = (first, mine, theirs) if number % 2 else (second, theirs, mine)
        seen = {scope.id for scope in queries.load_scopes(who).data}
        queries.load_scopes.clear()
        return own in seen and other not in seen

    with ThreadPoolExecutor(8) as threads:
        assert all(threads.map(read, range(24)))


def test_all_share_one_client_for_an_address(two: tuple[Deployment, Deployment]) -> None:
    first, second = two
    assert queries.shared_client(first.base_url) is queries.shared_client(second.base_url)
    assert first.api_key not in repr(queries.shared_client(first.base_url))


def test_a_cached_read_asks_the_service_once(deployment: Deployment) -> None:
    for _ in range(3):
        queries.load_companies(deployment, name="acme")
    assert len(queries.list_calls(deployment)) == 1
