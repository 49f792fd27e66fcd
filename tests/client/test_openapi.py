"""What a deployment offers is read from its description."""

import pytest

from app.client import offered_operations, offered_parameters


def test_operations_are_told_whatever_their_parameters_are_called() -> None:
    item: dict[str, object] = {"get": {}, "PATCH": {}, "parameters": [], "x-note": {}}
    description: dict[str, object] = {
        "paths": {"/v1/scope": {"get": {}, "post": {}}, "/v1/webhooks/{webhookId}": item}
    }
    assert offered_operations(description) == {
        "GET /v1/scope",
        "POST /v1/scope",
        "GET /v1/webhooks/{}",
        "PATCH /v1/webhooks/{}",
    }


def test_parameters_are_told_with_their_operations() -> None:
    listing: dict[str, object] = {"parameters": [{"name": "name", "in": "query"}, "odd"]}
    description: dict[str, object] = {"paths": {"/v1/things/{id}": {"get": listing, "post": {}}}}
    assert offered_parameters(description) == {"GET /v1/things/{}?name"}


@pytest.mark.parametrize(
    "description", [{}, {"paths": []}, {"paths": {"/v1/scope": "none"}}, {"swagger": "2.0"}]
)
def test_a_description_of_another_kind_offers_nothing(description: dict[str, object]) -> None:
    assert offered_operations(description) == frozenset()
