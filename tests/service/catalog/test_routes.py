"""The seven catalog endpoints: pages, filters, bounds, entity tags."""

from typing import Any

import pytest
from starlette.testclient import TestClient

from app.service.ids import new_id
from tests.service.catalog.conftest import SmallCatalog

LISTS = ("/categories", "/companies", "/companies/{acme}/product-families", "/companies/{acme}/products")
WITH_IDS = LISTS[1:]
OUT_OF_BOUNDS = (
    *("limit=0", "limit=101", "limit=ten", "limit=1.5", "limit=1.0", "offset=-1", "offset="),
    *("sortOrder=down", "sortBy=price"),
)
SEARCHES = {
    "name=acme": ["Äcme 100% GmbH"],
    "name=ÄCME": ["Äcme 100% GmbH"],
    "name=soft": ["Zenith_Soft"],
    "name=0%25": ["Äcme 100% GmbH"],
    "name=H_S": ["Zenith_Soft"],
    "name=e_i": [],
    "name=c%25": [],
    "name=": ["Äcme 100% GmbH", "Zenith_Soft"],
    "domain=WWW.Acme.example": ["Äcme 100% GmbH"],
    "domain=https://zenith.example/prices": ["Zenith_Soft"],
    "domain=acme": [],
    "domain=": ["Äcme 100% GmbH", "Zenith_Soft"],
    "name=acme&domain=zenith.example": [],
    "sortOrder=desc": ["Zenith_Soft", "Äcme 100% GmbH"],
    "limit=1&offset=1": ["Zenith_Soft"],
}
READS = ("/companies/{acme}", "/product-families/{suite}", "/products/{seats}")


def ask(api: Any, path: str, small: SmallCatalog | None = None, **headers: str) -> Any:
    filled = path.format(**vars(small)) if small else path
    return api.get(f"/v1/catalog{filled}", headers=headers)


def names(answer: Any) -> list[str]:
    assert answer.status_code == 200, answer.text
    return [record["name"] for record in answer.json()["data"]]


def test_a_list_states_the_position_of_its_page(api: TestClient, small: SmallCatalog) -> None:
    for path in LISTS:
        page = ask(api, path, small).json()
        assert page["pagination"]["limit"] == 10
        assert page["pagination"]["offset"] == 0
        assert page["pagination"]["total"] == len(page["data"]) > 0
        beyond = ask(api, f"{path}?offset=2147483647", small)
        assert beyond.status_code == 200
        assert beyond.json()["data"] == []
        assert beyond.json()["pagination"] == {**page["pagination"], "offset": 2147483647}


def test_a_parameter_out_of_bounds_is_named(api: TestClient, small: SmallCatalog) -> None:
    for path in LISTS:
        for query in OUT_OF_BOUNDS:
            answer = ask(api, f"{path}?{query}", small)
            assert answer.status_code == 400, query
            assert [wrong["pointer"] for wrong in answer.json()["errors"]] == [query.split("=")[0]]


def test_an_id_in_a_query_is_a_uuid(api: TestClient, small: SmallCatalog) -> None:
    for path, query in (
        ("/categories", "parentCategoryId=1"),
        ("/companies", "categoryId=1"),
        ("/companies/{acme}/products", "productFamilyId=1"),
        ("/companies", "ids=1"),
        ("/companies/{acme}/products", f"ids={new_id()},"),
        ("/companies", "ids=,"),
    ):
        answer = ask(api, f"{path}?{query}", small)
        assert answer.status_code == 400, query
        assert answer.json()["errors"][0]["pointer"] == query.split("=")[0]


def test_ids_select_records_in_either_notation(api: TestClient, small: SmallCatalog) -> None:
    for path in WITH_IDS:
        everything = ask(api, path, small).json()["data"]
        one, stranger = everything[-1]["id"], new_id()
        for query in (f"ids={one.upper()},{stranger}", f"ids={one}&ids={stranger}"):
            page = ask(api, f"{path}?{query}", small).json()
            assert [record["id"] for record in page["data"]] == [one]
            assert page["pagination"]["total"] == 1
        assert ask(api, f"{path}?ids=", small).json()["data"] == []


def test_thirty_ids_are_accepted_and_thirty_one_are_not(api: TestClient, small: SmallCatalog) -> None:
    ids = [new_id() for _ in range(31)]
    for path in WITH_IDS:
        assert ask(api, f"{path}?ids={','.join(ids[:30])}", small).status_code == 200
        refused = ask(api, f"{path}?ids={','.join(ids[:16])}&ids={','.join(ids[16:])}", small)
        assert refused.status_code == 400
        assert refused.json()["errors"][0]["pointer"] == "ids"


@pytest.mark.campaign
def test_companies_are_found_by_name_and_domain(api: TestClient, small: SmallCatalog) -> None:
    for query, expected in SEARCHES.items():
        assert names(ask(api, f"/companies?{query}")) == expected, query


def test_a_category_finds_its_companies_and_those_of_its_children(
    api: TestClient, small: SmallCatalog
) -> None:
    assert names(ask(api, "/categories")) == ["Software"]
    assert names(ask(api, "/categories?parentCategoryId={parent}", small)) == ["Office"]
    assert names(ask(api, "/companies?categoryId={child}", small)) == ["Äcme 100% GmbH"]
    assert names(ask(api, "/companies?categoryId={parent}", small)) == ["Äcme 100% GmbH"]
    unknown = new_id()
    assert names(ask(api, f"/companies?categoryId={unknown}")) == []
    assert names(ask(api, f"/categories?parentCategoryId={unknown}")) == []


@pytest.mark.both_stores
def test_products_are_sorted_as_the_supplier_does_or_by_name(api: TestClient, small: SmallCatalog) -> None:
    path = "/companies/{acme}/products"
    assert names(ask(api, path, small)) == ["Seats", "Archive"]
    assert names(ask(api, f"{path}?sortOrder=desc", small)) == ["Archive", "Seats"]
    assert names(ask(api, f"{path}?sortBy=name", small)) == ["Archive", "Seats"]
    assert names(ask(api, f"{path}?productFamilyId={{suite}}", small)) == ["Seats"]
    assert names(ask(api, f"{path}?productFamilyId={new_id()}", small)) == []


@pytest.mark.both_stores
def test_products_are_found_by_part_of_their_name(api: TestClient, small: SmallCatalog) -> None:
    path = "/companies/{acme}/products"
    assert names(ask(api, f"{path}?name=EAT", small)) == ["Seats"]
    assert names(ask(api, f"{path}?name=ä&sortBy=name", small)) == ["Archive", "Seats"]
    assert names(ask(api, f"{path}?name=%25", small)) == []
    assert names(ask(api, f"{path}?name=arch&productFamilyId={{suite}}", small)) == []
    assert ask(api, f"/companies/{new_id()}/products?name=seats").status_code == 404


def test_parts_of_an_unknown_company_are_not_found(api: TestClient, small: SmallCatalog) -> None:
    for path in ("products", "product-families"):
        assert ask(api, f"/companies/{new_id()}/{path}").status_code == 404
        assert ask(api, f"/companies/{small.zenith}/{path}").status_code == 200


def test_an_unknown_record_is_not_found(api: TestClient) -> None:
    for path in ("/companies/", "/product-families/", "/products/"):
        assert ask(api, path + new_id()).status_code == 404
        assert ask(api, path + "abc").status_code == 400


def test_a_response_that_the_caller_has_is_not_sent_again(api: TestClient, small: SmallCatalog) -> None:
    for path in READS + LISTS:
        first = ask(api, path, small)
        tag = first.headers["ETag"]
        # One tag for the body in every coding.
        assert tag.startswith('W/"')
        assert first.headers["Cache-Control"].startswith("private, max-age=")
        assert first.headers["Vary"] == "Accept-Encoding, Authorization, X-API-Key"
        for tags in (tag, tag.removeprefix("W/"), "*", f'"other", W/"more" , {tag}'):
            again = ask(api, path, small, **{"If-None-Match": tags})
            assert again.status_code == 304
            assert again.content == b""
            assert (again.headers["ETag"], again.headers["Vary"]) == (tag, first.headers["Vary"])
        assert ask(api, path, small, **{"If-None-Match": '"other"'}).status_code == 200


def test_head_answers_like_get_without_the_body(api: Any, small: SmallCatalog) -> None:
    for path in READS + LISTS:
        filled = f"/v1/catalog{path.format(**vars(small))}"
        head = api.head(filled)
        assert head.status_code == 200
        assert head.content == b""
        assert head.headers["ETag"] == api.get(filled).headers["ETag"]
