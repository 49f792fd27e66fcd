"""Quotes become scopes: values that were read, and questions about those that were not."""

import pytest
import sqlalchemy as sa

from app.service.context import Context
from app.service.database.tables import scope
from tests.service.scopes.conftest import Catalog, Quoter


@pytest.mark.campaign
def test_an_edition_in_the_words_of_a_line_is_read(quoter: Quoter, catalog: Catalog) -> None:
    scope_id = quoter.read("Northgate Analytics Professional,120,user,50.00,6000.00")
    [line] = quoter.lines(scope_id)
    assert line["productId"] == catalog.analytics
    assert line["role"] == "product"
    assert "question" not in line
    read = {one["id"]: one for one in line["dimensions"]}
    assert read[catalog.edition]["label"] == "Professional"
    assert read[catalog.edition]["words"] == "Professional"
    assert read[catalog.edition]["source"] == "read"
    assert read[catalog.users]["value"] == 120
    [term] = quoter.scope(scope_id)["productTerms"]
    assert {one["id"]: one["value"] for one in term["pricingDimensions"]} == {
        catalog.users: 120,
        catalog.edition: "2",
    }


@pytest.mark.campaign
def test_an_edition_that_is_not_stated_raises_a_question(quoter: Quoter, catalog: Catalog) -> None:
    scope_id = quoter.read("Northgate Analytics,120,user,50.00,6000.00")
    [line] = quoter.lines(scope_id)
    assert line["question"] == "Which edition: Starter, Professional or Enterprise?"
    [term] = quoter.scope(scope_id)["productTerms"]
    [edition] = [one for one in term["pricingDimensions"] if one["id"] == catalog.edition]
    assert "value" not in edition
    assert quoter.api.get(f"/v1/pricing/basic/{scope_id}").status_code in {200, 422}


@pytest.mark.campaign
@pytest.mark.parametrize(
    "named", ["Analytics Pro", "Analytics - Professional Edition", "Analytics (pro), annual"]
)
def test_an_edition_is_read_however_it_is_named(quoter: Quoter, catalog: Catalog, named: str) -> None:
    [line] = quoter.lines(quoter.read(f'"Northgate {named}",5,user,50.00,250.00'))
    assert line["productId"] == catalog.analytics
    assert {one["id"]: one.get("label") for one in line["dimensions"]}[catalog.edition] == "Professional"


def test_a_product_of_another_edition_is_never_matched(quoter: Quoter, catalog: Catalog) -> None:
    lines = quoter.lines(
        quoter.read(
            "Northgate Desk Professional,10,user,20.00,200.00",
            "Northgate Desk Enterprise,10,user,30.00,300.00",
            "Northgate Desk,10,user,10.00,100.00",
        )
    )
    assert lines[0]["productId"] == catalog.desk_professional
    assert "productId" not in lines[1]
    assert "enterprise" in lines[1]["candidates"][0]["why"]
    assert "productId" not in lines[2]
    assert lines[2]["question"].startswith("Which product is this: ")


@pytest.mark.campaign
def test_a_product_of_a_supplier_that_is_not_named_is_a_candidate_only(
    quoter: Quoter, catalog: Catalog
) -> None:
    [line] = quoter.lines(quoter.read("Desk Professional,10,user,20.00,200.00", supplier="Quite Another AG"))
    assert "productId" not in line
    reading = quoter.lines(
        quoter.read("Northgate Systems Desk Professional,10,user,20.00,200.00", supplier="Quite Another AG")
    )
    assert reading[0]["productId"] == catalog.desk_professional, "a reseller's line names who makes it"


@pytest.mark.campaign
def test_a_line_that_nothing_matches_proposes_an_entry(quoter: Quoter) -> None:
    [line] = quoter.lines(quoter.read('"Harbour Vault (Team), 24 months",40,seats,5.00,200.00'))
    assert line["proposed"] == {
        "name": "Harbour Vault",
        "unit": "seat",
        "dimensions": [{"name": "Edition", "option": "Team"}],
    }
    assert "question" in line


@pytest.mark.campaign
def test_a_line_that_is_no_product_has_its_reason(quoter: Quoter) -> None:
    lines = quoter.lines(
        quoter.read(
            "Northgate Analytics Starter,10,user,10.00,100.00",
            "Shipping and handling,1,,25.00,25.00",
            "Administrator training,2,day,500.00,1000.00",
            "Loyalty discount,1,,-50.00,-50.00",
            "SMS Delivery,10,bundle,5.00,50.00",
        )
    )
    assert [line["role"] for line in lines] == [
        "product", "not_product", "not_product", "not_product", "product"
    ]  # fmt: skip
    assert all("roleReason" in line for line in lines[1:4])


def test_another_unit_raises_a_question_and_is_not_counted_as_users(quoter: Quoter, catalog: Catalog) -> None:
    scope_id = quoter.read("Northgate Analytics Enterprise,1,pack,9000.00,9000.00")
    [line] = quoter.lines(scope_id)
    assert line["question"] == "Which quantity (user)? The line counts 1 pack."
    [term] = quoter.scope(scope_id)["productTerms"]
    assert "value" not in next(one for one in term["pricingDimensions"] if one["id"] == catalog.users)


def test_a_monthly_price_counts_for_the_whole_term(quoter: Quoter) -> None:
    scope_id = quoter.read(
        "Northgate Analytics Starter,10,user / month,10.00,100.00",
        "Setup,1,,500.00,500.00",
        below="Total,,,,600.00\n\nThe subscription term is 24 months.\n",
    )
    scope = quoter.scope(scope_id)
    assert scope["productTerms"][0]["finalPrice"] == 2400
    assert scope["scopeTerms"][0]["termLength"] == 24
    assert scope["scopeTerms"][0]["finalPrice"] == 2900
    assert any("whole term of 24 months" in warning for warning in quoter.document(scope_id)["warnings"])


@pytest.mark.campaign
def test_a_line_outside_the_total_is_no_line_of_the_quote(quoter: Quoter, context: Context) -> None:
    scope_id = quoter.read(
        "Northgate Analytics Starter,10,user,10.00,100.00",
        "Subtotal software,,,,100.00",
        "Harbour Vault,4,seat,50.00,200.00",
    )
    with context.database.reading() as connection:
        stored_lines = connection.execute(
            sa.select(scope.c.quote_lines).where(scope.c.id == scope_id)
        ).scalar_one()
    assert [(line["description"], line["amount"]) for line in stored_lines] == [
        ("Northgate Analytics Starter", "100.00"),
        ("Harbour Vault", "200.00"),
    ]


def test_a_line_has_its_tags_and_its_year_also_after_it_was_confirmed(quoter: Quoter) -> None:
    scope_id = quoter.read(
        "Northgate Analytics Starter year 1,10,user / month,10.00,1200.00",
        "Northgate Analytics Starter year 2,10,user / month,10.00,1200.00",
        "One-time migration,1,,500.00,500.00",
        "Loyalty credit,1,,-100.00,-100.00",
        "Volume discount,1,,-50.00,-50.00",
        below="Total,,,,2750.00\n\nOptions\nHarbour Vault,4,seat,50.00,200.00\n",
    )
    lines = quoter.lines(scope_id)
    assert [(line["tags"], line.get("firstMonth")) for line in lines] == [
        (["recurring"], 0),
        (["recurring"], 12),
        (["one_off"], None),
        (["credit"], None),
        (["discount"], None),
        (["optional"], None),
    ]
    assert [line["termAmount"] for line in lines] == [1200, 1200, 500, -100, -50, 200]
    scope = quoter.scope(scope_id)
    assert scope["scopeTerms"][0] == {"termLength": 24, "purchaseType": "new_purchase", "finalPrice": 2750}
    roles = [{"index": index, "role": "not_product"} for index in range(1, len(lines))]
    [term, *_] = scope["productTerms"]
    bought = {
        "productId": term["productId"],
        "pricingDimensions": [
            {"id": one["id"], "value": one["value"]} for one in term["pricingDimensions"] if "value" in one
        ],
    }
    sent = {
        "scopeTerm": {"termLength": 24, "purchaseType": "new_purchase"},
        "lines": [{"index": 0, "role": "product", "productTerm": bought}, *roles],
    }
    made = quoter.api.post(f"/v1/scope/{scope_id}/document/confirm", json=sent).json()
    confirmed = quoter.lines(made["id"])
    assert [line["tags"] for line in confirmed] == [line["tags"] for line in lines]
