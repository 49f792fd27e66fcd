"""Names in a query string: what a caller meant and misspelt is refused, what nobody knows is ignored."""

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from app.service.context import Context
from tests.service.running_service import create_one_of_everything

COMPANIES = "/v1/catalog/companies"


@pytest.fixture
def database_url() -> None:
    """SQLite alone: nothing here depends on the store."""
    return


MISTAKES: list[tuple[str, dict[str, str]]] = [
    (f"{COMPANIES}?Limit=5", {"Limit": "limit"}),
    (f"{COMPANIES}?limit[]=5&limit[gte]=2", {"limit[]": "limit", "limit[gte]": "limit"}),
    (f"{COMPANIES}?ids[]=x&IDS=y", {"ids[]": "ids", "IDS": "ids"}),
    ("/v1/webhooks?LIMIT=1", {"LIMIT": "limit"}),
    ("/v1/scope?Status=failed", {"Status": "status"}),
    (f"{COMPANIES}?limit=1&limit=2", {"limit": "more than once"}),
    (f"{COMPANIES}?sortBy=name&sortBy=name", {"sortBy": "more than once"}),
]
"""Addresses with a word of what is said about each name that is wrong in them."""


def test_a_misspelt_or_repeated_parameter_is_named(api: TestClient) -> None:
    for path, wrong in MISTAKES:
        answer = api.get(path)
        assert answer.status_code == 400, answer.text
        named = {one["pointer"]: one["detail"] for one in answer.json()["errors"]}
        assert named.keys() == wrong.keys()
        assert all(word in named[name] for name, word in wrong.items())
        assert next(iter(wrong)) in answer.json()["detail"]


@pytest.mark.campaign
def test_unknown_parameters_are_ignored_and_ids_may_be_repeated(
    api: TestClient, context: Context, tmp_path: Path
) -> None:
    company = create_one_of_everything(context, api, tmp_path)["companyId"]
    assert api.get(f"{COMPANIES}?utm_source=x&filter[name]=y").json()["pagination"]["total"] == 1
    twice = api.get(f"{COMPANIES}?ids={company}&ids={company}")
    assert [one["id"] for one in twice.json()["data"]] == [company]
    for path in (COMPANIES, f"{COMPANIES}/{company}/products", f"{COMPANIES}/{company}/product-families"):
        empty = api.get(f"{path}?ids=").json()
        assert empty == {"data": [], "pagination": {"total": 0, "limit": 10, "offset": 0}}
