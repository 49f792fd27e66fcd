"""Scopes made by hand: their required content, their links and who sees them."""

from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.contract.scope import NewProductTerm, NewScopeTerm
from app.service.context import Context
from app.service.imports.operator_files import import_files
from tests.service.conftest import key_for
from tests.service.running_service import purchase_rows

UNKNOWN = "018f2c5e-7b1a-7c3d-9e4f-5a6b7c8d9e0f"


@pytest.fixture
def body(api: TestClient, context: Context, tmp_path: Path) -> dict[str, Any]:
    """A valid scope on a product that was bought before."""
    path = tmp_path / "purchases.csv"
    path.write_text(purchase_rows())
    import_files(context, "purchases", [path])
    company = api.get("/v1/catalog/companies").json()["data"][0]
    products = api.get(f"/v1/catalog/companies/{company['id']}/products").json()["data"]
    product = next(one for one in products if one["name"] == "Analytics Suite")
    required = [one for one in product["pricingDimensions"] if one["formField"]["required"]]
    return {
        "scopeTerms": [
            {"termLength": 12, "purchaseType": "new_purchase", "listPrice": 1200, "discount": 10.5}
        ],
        "productTerms": [
            {
                "productId": product["id"],
                "pricingDimensions": [{"id": one["id"], "value": 10} for one in required],
                "finalPrice": 999.99,
            }
        ],
    }


def test_a_scope_is_read_back_unchanged(api: TestClient, body: dict[str, Any]) -> None:
    made = api.post("/v1/scope", json=body)
    assert made.status_code == 201
    scope = made.json()
    assert api.get(f"/v1/scope/{scope['id']}").json() == scope
    assert set(scope) == {"id", "source", "createdOn", "scopeTerms", "productTerms"}
    assert scope["source"] == "manual"
    assert scope["createdOn"].endswith("Z")
    assert scope["scopeTerms"] == body["scopeTerms"]
    term = scope["productTerms"][0]
    assert term["productName"] == "Analytics Suite"
    assert term["finalPrice"] == 999.99
    assert term["pricingDimensions"][0]["value"] == 10


def test_both_ends_of_a_link_are_stored_and_the_latest_follower_counts(
    api: TestClient, body: dict[str, Any]
) -> None:
    first = api.post("/v1/scope", json=body).json()["id"]
    followers = [api.post("/v1/scope", json={**body, "previousScopeId": first}).json() for _ in range(2)]
    assert [one["previousScopeId"] for one in followers] == [first, first]
    assert api.get(f"/v1/scope/{first}").json()["nextScopeId"] == followers[1]["id"]


def test_every_field_of_a_term_is_kept_and_read_back(api: TestClient, body: dict[str, Any]) -> None:
    money = {"listPrice": 1200, "discount": 10, "finalPrice": 1080}
    days = {"startDate": "2027-01-01", "endDate": "2027-12-31"}
    kind = {"termLength": 12, "termAssumed": False, "purchaseType": "renewal", "autoRenew": True}
    term = {**kind, **days, **money}
    bought = {**body["productTerms"][0], **days, **money, "firstMonth": 0, "months": 12}
    assert set(term) == {field.alias for field in NewScopeTerm.model_fields.values()}
    assert set(bought) == {field.alias for field in NewProductTerm.model_fields.values()}
    scope = api.post("/v1/scope", json={"scopeTerms": [term], "productTerms": [bought]}).json()
    assert scope["scopeTerms"] == [term]
    quantities = {"pricingDimensions": scope["productTerms"][0]["pricingDimensions"]}
    assert scope["productTerms"][0].items() >= (bought | quantities).items()


def test_another_organisations_scope_is_404_and_no_one_to_follow(
    api: TestClient, stranger: TestClient, body: dict[str, Any]
) -> None:
    scope_id = api.post("/v1/scope", json=body).json()["id"]
    for path in (
        f"/v1/scope/{scope_id}",
        f"/v1/pricing/basic/{scope_id}",
        f"/v1/pricing/advanced/{scope_id}",
    ):
        assert stranger.get(path).status_code == 404
    followed = stranger.post("/v1/scope", json={**body, "previousScopeId": scope_id})
    assert followed.status_code == 400
    assert followed.json()["errors"][0]["pointer"] == "/previousScopeId"
    assert stranger.get("/v1/scope").json()["pagination"]["total"] == 0
    assert "nextScopeId" not in api.get(f"/v1/scope/{scope_id}").json()


@pytest.mark.campaign
@pytest.mark.parametrize(
    ("path", "value", "pointer"),
    [
        ((), {"extra": 1}, "/extra"),
        (("scopeTerms",), [], "/scopeTerms"),
        (("productTerms",), [], "/productTerms"),
        (("scopeTerms", 0, "termLength"), 0, "/scopeTerms/0/termLength"),
        (("scopeTerms", 0, "termLength"), "12", "/scopeTerms/0/termLength"),
        (("scopeTerms", 0, "termLength"), 12.5, "/scopeTerms/0/termLength"),
        (("scopeTerms", 0, "purchaseType"), "gift", "/scopeTerms/0/purchaseType"),
        (("scopeTerms", 0, "discount"), 101, "/scopeTerms/0/discount"),
        (("scopeTerms", 0, "finalPrice"), -1, "/scopeTerms/0/finalPrice"),
        (("scopeTerms", 0, "finalPrice"), 10**12, "/scopeTerms/0/finalPrice"),
        (("scopeTerms", 0, "startDate"), "2026-02-30", "/scopeTerms/0/startDate"),
        (("productTerms", 0, "productId"), UNKNOWN, "/productTerms/0/productId"),
        (("productTerms", 0, "productId"), "nonsense", "/productTerms/0/productId"),
        (("productTerms", 0, "pricingDimensions"), [], "/productTerms/0/pricingDimensions"),
        (
            ("productTerms", 0, "pricingDimensions", 0, "id"),
            UNKNOWN,
            "/productTerms/0/pricingDimensions/0/id",
        ),
        (
            ("productTerms", 0, "pricingDimensions", 0, "value"),
            "many",
            "/productTerms/0/pricingDimensions/0/value",
        ),
        (
            ("productTerms", 0, "pricingDimensions", 0, "value"),
            1e300,
            "/productTerms/0/pricingDimensions/0/value",
        ),
        (
            ("productTerms", 0, "pricingDimensions", 0, "value"),
            1e-320,
            "/productTerms/0/pricingDimensions/0/value",
        ),
        (("scopeTerms", 0, "finalPrice"), 1e-13, "/scopeTerms/0/finalPrice"),
    ],
)
def test_bad_input_is_400_with_a_pointer(
    api: TestClient, body: dict[str, Any], path: tuple[str | int, ...], value: Any, pointer: str
) -> None:
    if path:
        place: Any = body
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = value
    else:
        body |= value
    answer = api.post("/v1/scope", json=body)
    assert answer.status_code == 400, answer.text
    assert pointer in [wrong["pointer"] for wrong in answer.json()["errors"]]
    assert "Decimal" not in answer.text, "a bound is named in digits"
    assert api.get("/v1/scope").json()["pagination"]["total"] == 0


def test_a_required_dimension_left_out_is_named(api: TestClient, body: dict[str, Any]) -> None:
    dimensions = body["productTerms"][0]["pricingDimensions"]
    left_out = dimensions[0]["id"]
    dimensions[0] = {"id": left_out, "value": 10} | {"id": dimensions[-1]["id"]}
    body["productTerms"][0]["pricingDimensions"] = [{"id": UNKNOWN, "value": 1}]
    answer = api.post("/v1/scope", json=body)
    assert answer.status_code == 400
    assert any(left_out in wrong["detail"] for wrong in answer.json()["errors"])


def test_the_list_is_newest_first_and_pages_exactly(api: TestClient, body: dict[str, Any]) -> None:
    made = [api.post("/v1/scope", json=body).json()["id"] for _ in range(3)]
    page = api.get("/v1/scope", params={"limit": 2}).json()
    assert [one["id"] for one in page["data"]] == made[:0:-1]
    assert page["pagination"] == {"total": 3, "limit": 2, "offset": 0}
    assert api.get("/v1/scope", params={"offset": 99}).json()["data"] == []


def test_estimates_are_for_the_scope_and_may_not_be_cached(api: TestClient, body: dict[str, Any]) -> None:
    scope_id = api.post("/v1/scope", json=body).json()["id"]
    basic = api.get(f"/v1/pricing/basic/{scope_id}")
    advanced = api.get(f"/v1/pricing/advanced/{scope_id}").json()
    assert basic.headers["cache-control"] == "no-store"
    assert set(basic.json()) == {"estimate", "currency", "timestamp"}
    percentiles = [advanced["estimate"][f"percentile{percent}"] for percent in range(10, 95, 5)]
    assert percentiles == sorted(percentiles)
    assert basic.json()["estimate"]["percentile50"] == advanced["estimate"]["percentile50"]
    assert set(advanced) == {
        "estimate",
        "productEstimates",
        "currency",
        "timestamp",
        "realPurchaseCount",
        "realSimilarPurchases",
    }
    assert 500 < advanced["estimate"]["percentile50"] < 2000, "ten users at about a hundred for twelve months"


def test_leaving_a_purchase_out_changes_the_preview_and_stores_nothing(
    api: TestClient, body: dict[str, Any]
) -> None:
    whole = api.post("/v1/pricing/preview", json=body).json()
    dearest = max(whole["products"][0]["comparables"], key=lambda one: one["unitPrice"])
    less = api.post("/v1/pricing/preview", json={**body, "exclude": [dearest["id"]]}).json()
    assert dearest["id"] not in [one["id"] for one in less["products"][0]["comparables"]]
    assert api.get("/v1/scope").json()["pagination"]["total"] == 0


def test_a_preview_is_in_the_currency_of_the_scope_that_it_follows(
    api: TestClient, context: Context, body: dict[str, Any]
) -> None:
    first = api.post("/v1/scope", json=body).json()["id"]
    with context.database.writing() as connection:
        connection.exec_driver_sql("UPDATE scope SET currency = 'EUR'")
        connection.exec_driver_sql("UPDATE purchase SET currency = 'EUR', packed = NULL")
    followed = api.post("/v1/pricing/preview", json={**body, "previousScopeId": first})
    assert followed.json()["currency"] == "EUR"
    assert api.post("/v1/pricing/preview", json=body).status_code == 422, "nothing was bought in dollars"
    unknown = api.post("/v1/pricing/preview", json={**body, "previousScopeId": UNKNOWN})
    assert unknown.json()["errors"][0]["pointer"] == "/previousScopeId"


def test_a_read_only_key_may_preview_and_store_nothing(
    api: TestClient, context: Context, body: dict[str, Any]
) -> None:
    api.headers["Authorization"] = f"Bearer {key_for(context, read_only=True)}"
    assert api.post("/v1/pricing/preview", json=body).status_code == 200
    assert api.post("/v1/scope", json=body).status_code == 403


def test_an_estimate_without_any_evidence_is_422(
    api: TestClient, context: Context, body: dict[str, Any]
) -> None:
    scope_id = api.post("/v1/scope", json=body).json()["id"]
    with context.database.writing() as connection:
        connection.exec_driver_sql("UPDATE scope SET currency = 'CHF'")
    answer = api.get(f"/v1/pricing/basic/{scope_id}")
    assert answer.status_code == 422
    assert answer.json()["title"] == "Pricing failed"


def test_a_scope_that_follows_one_of_years_is_no_shorter_than_these(
    api: TestClient, body: dict[str, Any]
) -> None:
    term = {"termLength": 36, "purchaseType": "new_purchase"}
    [bought] = body["productTerms"]
    years = [{**bought, "firstMonth": 12 * year, "months": 12} for year in range(3)]
    first = api.post("/v1/scope", json={"scopeTerms": [term], "productTerms": years}).json()["id"]
    shorter = {
        "scopeTerms": [{**term, "termLength": 24}],
        "productTerms": [bought] * 3,
        "previousScopeId": first,
    }
    for path in ("/v1/scope", "/v1/pricing/preview"):
        refused = api.post(path, json=shorter)
        assert refused.status_code == 400
        [wrong] = refused.json()["errors"]
        assert wrong["pointer"] == "/productTerms/2/months"
        assert wrong["detail"] == "It ends after the 24 months of the term."
        as_long = api.post(path, json={**shorter, "scopeTerms": [term]})
        assert as_long.status_code in (200, 201)


@pytest.mark.parametrize("months", [24, 36, 48])
def test_what_is_dated_for_the_whole_term_is_for_all_of_another_one(
    api: TestClient, body: dict[str, Any], months: int
) -> None:
    term = {"termLength": 36, "purchaseType": "new_purchase"}
    [bought] = body["productTerms"]
    dated = {**bought, "startDate": "2026-01-01", "endDate": "2028-12-31"}
    first = api.post("/v1/scope", json={"scopeTerms": [term], "productTerms": [dated]}).json()["id"]
    other = {"scopeTerms": [{**term, "termLength": months}], "productTerms": [bought]}
    plain = api.post("/v1/pricing/preview", json=other).json()["estimate"]
    followed = api.post("/v1/pricing/preview", json={**other, "previousScopeId": first})
    assert followed.json()["estimate"] == plain
    [made] = api.post("/v1/scope", json={**other, "previousScopeId": first}).json()["productTerms"]
    assert "months" not in made
