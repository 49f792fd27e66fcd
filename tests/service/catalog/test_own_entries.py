"""`POST /v1/catalog/entries`: entries of an organisation are private; similar entries are offered first."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from app.contract.catalog import Company, Product
from app.service.context import Context
from app.service.database.tables import company
from tests.service.catalog.conformance import assert_conforms
from tests.service.catalog.conftest import SmallCatalog
from tests.service.conftest import key_for

ANALYTICS: dict[str, Any] = {
    "supplier": {"name": "Bright Analytics Ltd", "domain": "https://www.bright.example/prices"},
    "product": {
        "name": "Bright Analytics Pro",
        "unit": "seat",
        "dimensions": [
            {"name": "Edition", "type": "select", "options": ["Starter", "Pro"]},
            {"name": "Support hours", "type": "number"},
            {"name": "Single sign-on", "type": "checkbox"},
        ],
    },
}


def add(api: Any, body: dict[str, Any], **headers: str) -> Any:
    return api.post("/v1/catalog/entries", json=body, headers=headers)


def get(api: Any, path: str) -> Any:
    return api.get(f"/v1/catalog{path}")


def sold_by(company_id: str, name: str, **more: Any) -> dict[str, Any]:
    return {"supplier": {"companyId": company_id}, "product": {"name": name}, **more}


def named(supplier: str, name: str, **more: Any) -> dict[str, Any]:
    return {"supplier": {"name": supplier}, "product": {"name": name}, **more}


def candidates(answer: Any) -> list[tuple[str, bool]]:
    """Names of what is offered, and whether it is a product."""
    assert answer.status_code == 409, answer.text
    assert all(one["why"] for one in answer.json()["candidates"])
    return [(one["name"], "productId" in one) for one in answer.json()["candidates"]]


@pytest.mark.campaign
def test_a_new_supplier_with_its_product_is_seen_by_its_organisation_alone(api: Any, stranger: Any) -> None:
    get(stranger, "/companies")
    made = add(api, ANALYTICS)
    assert made.status_code == 201, made.text
    ids = made.json()
    assert set(ids) == {"companyId", "productId"}
    seller, sold = get(api, f"/companies/{ids['companyId']}"), get(api, f"/products/{ids['productId']}")
    assert_conforms(Company, seller.json())
    assert_conforms(Product, sold.json())
    assert seller.json()["domain"] == "bright.example"
    assert [one["name"] for one in seller.json()["products"]] == ["Bright Analytics Pro"]
    fields = {one["name"]: one["formField"] for one in sold.json()["pricingDimensions"]}
    assert list(fields) == ["Quantity", "Edition", "Support hours", "Single sign-on"]
    assert (fields["Quantity"]["label"], fields["Quantity"]["required"]) == ("seat", True)
    assert fields["Edition"]["options"] == [
        {"label": "Starter", "value": "1"},
        {"label": "Pro", "value": "2"},
    ]
    for query in ("name=bright", "domain=bright.example", f"ids={ids['companyId']}"):
        assert get(api, f"/companies?{query}").json()["pagination"]["total"] == 1
        assert get(stranger, f"/companies?{query}").json()["pagination"]["total"] == 0
    for path in (f"/companies/{ids['companyId']}", f"/products/{ids['productId']}"):
        assert get(stranger, path).status_code == 404
    assert get(stranger, f"/companies/{ids['companyId']}/products").status_code == 404


def test_an_own_product_is_in_the_shared_suppliers_record_for_its_organisation(
    api: Any, stranger: Any, small: SmallCatalog
) -> None:
    path = f"/companies/{small.acme}"
    before = get(stranger, path)
    product_id = add(api, sold_by(small.acme, "Whiteboard")).json()["productId"]
    assert [one["name"] for one in get(api, path).json()["products"]] == ["Seats", "Archive", "Whiteboard"]
    assert get(api, f"{path}/products?sortBy=name").json()["pagination"]["total"] == 3
    after = get(stranger, path)
    assert (after.content, after.headers["etag"]) == (before.content, before.headers["etag"])
    assert get(stranger, f"{path}/products").json()["pagination"]["total"] == 2
    assert get(stranger, f"/products/{product_id}").status_code == 404
    # An entity tag confirms what its own caller sees.
    condition = {"If-None-Match": after.headers["etag"]}
    assert stranger.get(f"/v1/catalog{path}", headers=condition).status_code == 304
    assert api.get(f"/v1/catalog{path}", headers=condition).status_code == 200


def test_similar_entries_are_offered_first(api: Any, small: SmallCatalog) -> None:
    assert candidates(add(api, named("acme 100", "Desk"))) == [("Äcme 100% GmbH", False)]
    assert candidates(add(api, named("Zenit Soft", "Desk"))) == [("Zenith_Soft", False)]
    assert candidates(add(api, sold_by(small.acme, "SEATS"))) == [("Seats", True)]
    assert candidates(add(api, sold_by(small.acme, "Archives"))) == [("Archive", True)]
    same_domain = {
        "supplier": {"name": "Quite another", "domain": "zenith.example"},
        "product": {"name": "X"},
    }
    assert candidates(add(api, same_domain)) == [("Zenith_Soft", False)]
    assert candidates(add(api, named("Acme 100%", "Seats")))[0] == ("Seats", True)
    made = add(api, sold_by(small.acme, "SEATS", confirmNew=True))
    assert made.status_code == 201
    assert made.json()["companyId"] == small.acme


def test_a_confirmed_supplier_is_created_beside_the_shared_one(
    api: Any, stranger: Any, small: SmallCatalog
) -> None:
    made = add(api, named("acme 100", "Desk", confirmNew=True)).json()
    assert made["companyId"] != small.acme
    assert get(api, "/companies?name=acme").json()["pagination"]["total"] == 2
    assert get(stranger, "/companies?name=acme").json()["pagination"]["total"] == 1
    # Another product of the same new supplier joins it; the same product again is always a repeat.
    more = add(api, named("Acme 100", "Lamp", confirmNew=True)).json()
    assert more["companyId"] == made["companyId"]
    repeat = add(api, named("ACME 100", "desk", confirmNew=True))
    assert candidates(repeat) == [("Desk", True)]
    assert repeat.json()["candidates"][0]["productId"] == made["productId"]


def test_an_own_supplier_takes_more_products_by_its_name(api: Any) -> None:
    made = add(api, ANALYTICS).json()
    more = add(api, named("Bright Analytics, Ltd.", "Dashboards"))
    assert more.status_code == 201, more.text
    assert more.json()["companyId"] == made["companyId"]


def test_an_own_product_takes_more_options(api: Any, stranger: Any) -> None:
    made = add(api, ANALYTICS).json()
    requested = [
        {"name": "edition", "type": "select", "options": ["pro", "Enterprise"]},
        {"name": "Region", "type": "select", "options": ["EU"]},
    ]
    body = sold_by(made["companyId"], "Bright analytics pro")
    body["product"]["dimensions"] = requested
    assert add(stranger, body).status_code == 400
    assert add(api, body).json() == made
    fields = {
        one["name"]: one["formField"]
        for one in get(api, f"/products/{made['productId']}").json()["pricingDimensions"]
    }
    assert [one["label"] for one in fields["Edition"]["options"]] == ["Starter", "Pro", "Enterprise"]
    assert [one["value"] for one in fields["Edition"]["options"]] == ["1", "2", "3"]
    assert [one["label"] for one in fields["Region"]["options"]] == ["EU"]
    assert candidates(add(api, body)) == [("Bright Analytics Pro", True)]  # nothing more to add
    body["product"]["dimensions"] = [{"name": "Edition", "type": "number"}]
    refused = add(api, body)
    assert refused.status_code == 400
    assert [wrong["pointer"] for wrong in refused.json()["errors"]] == ["/product/dimensions/0/type"]


def test_other_organisations_entries_and_sample_suppliers_are_no_candidates(
    api: Any, stranger: Any, small: SmallCatalog, context: Context
) -> None:
    assert add(api, ANALYTICS).status_code == 201
    assert add(stranger, ANALYTICS).status_code == 201
    with context.database.writing() as connection:
        connection.execute(company.update().where(company.c.id == small.zenith).values(sample=True))
    assert add(api, named("Zenith Soft", "Desk")).status_code == 201


def test_every_mistake_is_named(api: Any, stranger: Any, small: SmallCatalog) -> None:
    others = add(stranger, ANALYTICS).json()["companyId"]
    select = {"name": "Edition", "type": "select"}
    number = {"name": "Hours", "type": "number", "options": ["1"]}
    for body, pointer in (
        (sold_by(others, "Desk"), "/supplier/companyId"),
        (sold_by("nobody", "Desk"), "/supplier/companyId"),
        ({"supplier": {}, "product": {"name": "Desk"}}, "/supplier"),
        ({"supplier": {"name": "A", "companyId": small.acme}, "product": {"name": "Desk"}}, "/supplier"),
        ({"supplier": {"name": "A", "domain": "no domain"}, "product": {"name": "D"}}, "/supplier/domain"),
        ({"supplier": {"name": "A"}, "product": {"name": " "}}, "/product/name"),
        ({"supplier": {"name": "A"}}, "/product"),
        ({**named("A", "Desk"), "price": 1}, "/price"),
        (named("A", "Desk", confirmNew="yes"), "/confirmNew"),
        (_with([select]), "/product/dimensions/0/options"),
        (_with([{**select, "options": []}]), "/product/dimensions/0/options"),
        (_with([{**select, "options": ["Pro", "PRO"]}]), "/product/dimensions/0/options"),
        (_with([{**select, "options": ["Pro", " "]}]), "/product/dimensions/0/options/1"),
        (_with([number]), "/product/dimensions/0/options"),
        (_with([{"name": "quantity", "type": "number"}]), "/product/dimensions/0/name"),
        (_with([{"name": "SSO", "type": "checkbox"}] * 2), "/product/dimensions/1/name"),
        (_with([{"name": "SSO", "type": "radio"}]), "/product/dimensions/0/type"),
    ):
        refused = add(api, body)
        assert refused.status_code == 400, (body, refused.text)
        assert [wrong["pointer"] for wrong in refused.json()["errors"]] == [pointer], body
    assert get(api, "/companies?name=a").json()["pagination"]["total"] == 1


def _with(dimensions: list[dict[str, Any]]) -> dict[str, Any]:
    return {"supplier": {"name": "A"}, "product": {"name": "Desk", "dimensions": dimensions}}


def test_an_idempotency_key_creates_the_entry_once(api: Any) -> None:
    first, again = (add(api, ANALYTICS, **{"Idempotency-Key": "one"}) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.content == again.content
    # A refusal that a person can answer is not stored: the same key serves for the confirmed entry.
    near = named("Bright Analytiks", "Viewer")
    assert add(api, near, **{"Idempotency-Key": "two"}).status_code == 409
    assert add(api, {**near, "confirmNew": True}, **{"Idempotency-Key": "two"}).status_code == 201


def test_a_key_that_only_reads_adds_nothing(api: Any, context: Context) -> None:
    reader = {"Authorization": f"Bearer {key_for(context, read_only=True)}"}
    assert add(api, ANALYTICS, **reader).status_code == 403
    assert get(api, "/companies").json()["pagination"]["total"] == 0


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_scope_takes_the_products_that_its_organisation_sees(api: Any, stranger: Any) -> None:
    product_id = add(api, ANALYTICS).json()["productId"]
    dimensions = get(api, f"/products/{product_id}").json()["pricingDimensions"]
    values = [{"id": dimensions[0]["id"], "value": 5}, {"id": dimensions[1]["id"], "value": "2"}]
    body = {
        "scopeTerms": [{"termLength": 12, "purchaseType": "new_purchase"}],
        "productTerms": [{"productId": product_id, "pricingDimensions": values}],
    }
    for caller, status in ((api, 201), (stranger, 400)):
        made = caller.post("/v1/scope", json=body)
        assert made.status_code == status, made.text
    assert made.json()["errors"] == [
        {"pointer": "/productTerms/0/productId", "detail": "There is no such product."}
    ]


def test_the_same_entry_requested_concurrently_is_created_once(api: Any) -> None:
    with ThreadPoolExecutor(2) as threads:
        answers = list(threads.map(lambda _: add(api, ANALYTICS), range(2)))
    assert sorted(answer.status_code for answer in answers) == [201, 409]
    assert get(api, "/companies?name=bright").json()["pagination"]["total"] == 1
