"""Lines of a quote that nobody confirmed yet have the products that were added to the catalog for them."""

from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.service.scopes.conftest import Catalog, Quoter

QUOTE = (
    "Harbour Vault - Enterprise Edition,4,seat,50.00,200.00",
    "Harbour Keys,2,seat,10.00,20.00",
    "Harbour Keys,2,seat,10.00,20.00",
)
HARBOUR = "Harbour Software Ltd"


def add(api: TestClient, proposed: dict[str, Any], supplier: str = HARBOUR) -> dict[str, str]:
    """The ids of the entry that the review makes of a proposal."""
    dimensions = [
        {"name": one["name"], "type": "select", "options": [one["option"]]}
        for one in proposed.get("dimensions", [])
    ]
    product = {"name": proposed["name"], "dimensions": dimensions}
    answer = api.post("/v1/catalog/entries", json={"supplier": {"name": supplier}, "product": product})
    assert answer.status_code == 201, answer.text
    entry: dict[str, str] = answer.json()
    return entry


def test_lines_have_the_products_that_were_added_for_them(quoter: Quoter) -> None:
    scope_id = quoter.read(*QUOTE, supplier=HARBOUR)
    lines = quoter.lines(scope_id)
    assert [line.get("productId") for line in lines] == [None, None, None]
    vault, keys = add(quoter.api, lines[0]["proposed"]), add(quoter.api, lines[1]["proposed"])

    document = quoter.document(scope_id)
    lines = document["lines"]
    assert [line["productId"] for line in lines] == [vault["productId"], keys["productId"], keys["productId"]]
    assert all("question" not in line for line in lines)
    [edition] = lines[0]["dimensions"]
    assert (edition["name"], edition["label"], edition["source"]) == ("Edition", "Enterprise", "read")
    assert document["supplier"]["companyId"] == vault["companyId"]


@pytest.mark.campaign
def test_another_supplier_or_edition_is_another_product(quoter: Quoter) -> None:
    scope_id = quoter.read(*QUOTE, supplier=HARBOUR)
    vault, keys, _ = (line["proposed"] for line in quoter.lines(scope_id))
    add(quoter.api, keys, "Lakeside Software Ltd")
    add(quoter.api, {**vault, "dimensions": [{"name": "Edition", "option": "Starter"}]})
    document = quoter.document(scope_id)
    assert [line.get("productId") for line in document["lines"]] == [None, None, None]
    assert "companyId" not in document["supplier"]


@pytest.mark.campaign
def test_another_organisations_products_are_not_found(
    quoter: Quoter, catalog: Catalog, stranger: TestClient
) -> None:
    scope_id = quoter.read(*QUOTE, supplier=HARBOUR)
    add(stranger, quoter.lines(scope_id)[1]["proposed"])
    assert [line.get("productId") for line in quoter.lines(scope_id)] == [None, None, None]
