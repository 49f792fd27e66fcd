"""What follows from a quote that was put on record: its price against the market, the purchases that it is,
and what is asked for in its renewal."""

from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.service.context import Context
from app.service.negotiation.jobs import plan_negotiation
from app.service.purchases.product_refresh import refresh_stale_products
from tests.service.agreements.quoted_deals import ONE_YEAR, TWO_YEARS, QuotedDeals
from tests.service.agreements.test_routes import app as app
from tests.service.agreements.test_routes import get, put

YEARS = ("Blue Analytics year 1,10,user,1200,12000", "Blue Analytics year 2,10,user,1200,12000")


@pytest.fixture
def deals(app: FastAPI, api: TestClient, context: Context, tmp_path: Path) -> QuotedDeals:
    return QuotedDeals(api, context, tmp_path)


@pytest.mark.campaign
def test_a_line_for_one_year_is_no_line_for_the_whole_term(deals: QuotedDeals) -> None:
    before = deals.preview()["estimate"]["percentile20"]
    scope_id = deals.confirm(deals.read(*YEARS, total=24_000), months=24)
    made = deals.record(scope_id, **TWO_YEARS)
    learned = [line["purchase"] for line in deals.learned(made["id"])]
    assert [(one["unitPrice"], one["termMonths"]) for one in learned] == [(1200, 12), (1200, 12)]
    assert deals.preview()["estimate"]["percentile20"] == pytest.approx(before, rel=0.03)
    priced = deals.against_market()
    assert priced["estimate"] == pytest.approx(24_000, rel=0.02)
    assert [line["position"] for line in priced["lines"]] == ["consider", "consider"]


@pytest.mark.campaign
def test_a_renewal_asks_for_what_is_bought_in_the_last_year(deals: QuotedDeals) -> None:
    grown = (YEARS[0], "Blue Analytics year 2,15,user,1200,18000")
    scope_id = deals.confirm(deals.read(*grown, total=30_000), months=24)
    made = deals.record(scope_id, **TWO_YEARS)
    assert [(line["firstMonth"], line["months"]) for line in made["lines"]] == [(0, 12), (12, 12)]
    begun = deals.api.post(f"/v1/agreements/{made['id']}/renewal", json={}).json()
    assert begun["leftOut"] == ["Blue Analytics year 1: it is for an earlier part of the term."]
    [asked] = get(deals.api, f"/v1/scope/{begun['scopeId']}")["productTerms"]
    assert [one["value"] for one in asked["pricingDimensions"]] == [15]


@pytest.mark.campaign
def test_the_last_price_of_a_year_is_counted_for_a_year(deals: QuotedDeals) -> None:
    bought = {"productId": deals.sold["id"], "description": "Seats", "quantity": 10, "amount": 12_000}
    put(deals.api, lines=[bought], totalValue=12_000)
    deals.learn()
    scope_id = deals.confirm(deals.read(*YEARS, total=24_000), months=24)
    measures = deals.agree(scope_id, 24_000)["measures"]
    [previous] = [one for one in measures if one["against"] == "previous_price"]
    assert (previous["baseline"], previous["saved"]) == (24_000, 0)


@pytest.mark.campaign
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_lines_that_a_person_merged_or_added_are_for_the_whole_term(deals: QuotedDeals) -> None:
    scope_id = deals.confirm(deals.read(*YEARS, total=24_000), months=24)
    made = deals.record(scope_id, **TWO_YEARS)
    first, second = made["lines"]

    def change(*lines: dict[str, Any]) -> list[int]:
        deals.change(made["id"], lines=list(lines))
        return [line["purchase"]["termMonths"] for line in deals.learned(made["id"])]

    whole = {name: value for name, value in first.items() if name not in ("firstMonth", "months")}
    assert change({**whole, "amount": 24_000}) == [24], "nobody knows which of the two it is"
    more = {**whole, "description": "Five more", "quantity": 5, "amount": 12_000}
    assert change(first, second, more) == [12, 12, 24]


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_product_with_dates_of_its_own_is_bought_between_them(deals: QuotedDeals) -> None:
    body = deals.scope(months=24)
    [bought] = body["productTerms"]
    body["productTerms"] = [
        {**bought, "startDate": f"{year}-07-01", "endDate": f"{year + 1}-06-30"} for year in (2026, 2027)
    ]
    scope_id = deals.api.post("/v1/scope", json=body).json()["id"]
    lines = [
        {"productId": bought["productId"], "description": name, "quantity": 10, "amount": 12_000}
        for name in ("First year", "Second year")
    ]
    made = put(deals.api, scopeId=scope_id, lines=lines, totalValue=24_000, **TWO_YEARS)
    deals.learn()
    assert [line["purchase"]["termMonths"] for line in deals.learned(made["id"])] == [12, 12]
    assert deals.against_market()["estimate"] == pytest.approx(24_000, rel=0.02)
    begun = deals.api.post(f"/v1/agreements/{made['id']}/renewal", json={}).json()
    assert begun["leftOut"] == ["First year: it is for an earlier part of the term."]


@pytest.mark.campaign
def test_a_credit_of_a_quote_makes_each_of_its_lines_cheaper(deals: QuotedDeals) -> None:
    lines = "Blue Analytics,10,user,1200,12000", "Loyalty credit,1,,-3000,-3000"
    made = deals.record(deals.confirm(deals.read(*lines, total=9_000)), **ONE_YEAR)
    assert [line["description"] for line in made["lines"]] == ["Blue Analytics"]
    assert made["totalValue"] == 9_000
    [learned] = deals.learned(made["id"])
    assert learned["purchase"]["unitPrice"] == 900
    priced = deals.against_market()
    assert (priced["amount"], priced["saving"], priced["certainty"]) == (9_000, 0, "strong")


@pytest.mark.campaign
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_credit_without_a_total_makes_the_total(deals: QuotedDeals) -> None:
    lines = "Blue Analytics,10,user,1200,12000", "Loyalty credit,1,,-3000,-3000"
    scope_id = deals.confirm(deals.read(*lines))
    made = deals.record(scope_id, **ONE_YEAR)
    assert made["totalValue"] == 9_000


def test_a_discount_on_the_whole_counts_against_the_market(deals: QuotedDeals) -> None:
    seats = {"productId": deals.sold["id"], "description": "Seats", "quantity": 10, "amount": 18_000}
    put(deals.api, lines=[seats], totalValue=12_000)
    priced = deals.against_market()
    [line] = priced["lines"]
    assert (priced["amount"], line["amount"]) == (12_000, 12_000)
    assert line["median"] == pytest.approx(12_000, rel=0.01)
    assert (line["position"], priced["saving"]) == ("consider", max(0, round(12_000 - line["median"], 2)))


@pytest.mark.campaign
@pytest.mark.parametrize(
    ("total", "more"), [(5_000, ()), (12_000, ({"description": "Loyalty credit"},))], ids=str
)
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_what_is_no_clear_discount_is_neither_compared_nor_learnt(
    deals: QuotedDeals, total: int, more: tuple[dict[str, Any], ...]
) -> None:
    seats = {"productId": deals.sold["id"], "description": "Seats", "quantity": 10, "amount": 18_000}
    made = put(deals.api, lines=[seats, *more], totalValue=total)
    deals.learn()
    priced = deals.against_market()
    assert (priced["certainty"], "saving" in priced) == ("thin", False)
    said = "The lines cost more than the total (totalValue), and what was paid for each is not known."
    assert priced["lines"][0]["statement"] == said
    assert deals.learned(made["id"])[0]["reason"] == said


def count_like_for_like(deals: QuotedDeals) -> tuple[int, list[str]]:
    """How many purchases an estimate compares like for like, and what the product's price depends on."""
    scope = deals.api.post("/v1/scope", json=deals.scope()).json()
    found = get(deals.api, f"/v1/pricing/explanation/{scope['id']}")
    [product] = found["products"]
    return product["likeForLike"], [one["name"] for one in deals.sold["pricingDimensions"]]


@pytest.mark.campaign
def test_the_period_of_a_price_is_no_part_of_the_unit(deals: QuotedDeals) -> None:
    scope_id = deals.confirm(deals.read("Blue Analytics,10,user / month,100,12000", total=12_000))
    made = deals.record(scope_id, **ONE_YEAR)
    assert made["lines"][0]["unit"] == "user / month", "in the words of the quote"
    [learned] = deals.learned(made["id"])
    assert learned["purchase"]["unit"] == "user"
    assert count_like_for_like(deals) == (11, ["Quantity"])


@pytest.mark.campaign
def test_an_agreed_price_is_in_the_unit_of_those_on_record(deals: QuotedDeals) -> None:
    scope = deals.api.post("/v1/scope", json=deals.scope()).json()
    deals.agree(scope["id"], 12_000)
    refresh_stale_products(deals.context.database, deals.context.clock())
    assert count_like_for_like(deals) == (11, ["Quantity"])


@pytest.mark.campaign
@pytest.mark.parametrize(
    ("on_record", "stated", "learned"),
    [
        ("user", None, "user"),
        ("user", "Named users per year", "user"),
        ("user", "GB per month", "GB"),
        ("user", "pcs", "user"),
        ("", "user / month", None),
        ("", None, None),
    ],
)
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_words_of_a_line_count_where_they_name_another_unit(
    app: FastAPI,
    api: TestClient,
    context: Context,
    tmp_path: Path,
    on_record: str,
    stated: str | None,
    learned: str | None,
) -> None:
    deals = QuotedDeals(api, context, tmp_path, unit=on_record)
    seats = {"productId": deals.sold["id"], "description": "Seats", "quantity": 10, "amount": 12_000}
    made = put(api, lines=[seats if stated is None else {**seats, "unit": stated}], totalValue=12_000)
    deals.learn()
    [line] = deals.learned(made["id"])
    assert line["purchase"].get("unit") == learned


@pytest.mark.campaign
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_another_version_of_a_document_changes_its_agreement_and_counts_once(deals: QuotedDeals) -> None:
    """Also where the same file is read again. What a person stated stays, and so does what they changed."""
    read = deals.read("Blue Analytics,10,user,1200,12000", "On-site day,1,day,500,500", total=12_500)
    made = deals.record(deals.confirm(read), **ONE_YEAR, reference="C-1")
    for months, scope_id in (
        (24, read),
        (36, deals.read("Blue Analytics,10,user,1200,12000", "On-site day,1,day,500,500", total=12_500)),
    ):
        confirmed = deals.confirm(scope_id, months=months)
        answer = deals.api.post("/v1/agreements/from-document", json={"scopeId": confirmed})
        assert (answer.status_code, answer.json()["id"]) == (201, made["id"])
        assert (answer.json()["scopeId"], answer.json()["reference"]) == (confirmed, "C-1")
        assert [answer.json()[name] for name in ("renewalType", "termEnd")] == [
            "auto_renew",
            ONE_YEAR["termEnd"],
        ]
        deals.learn()
    [agreement] = get(deals.api, "/v1/agreements")["data"]
    assert agreement["totalValue"] == 12_500
    lines = deals.learned(agreement["id"])
    assert [line["state"] for line in lines] == ["learned", "not_learned"]
    assert deals.count_purchases() == 11
    again = deals.api.post("/v1/agreements/from-document", json={"scopeId": confirmed})
    assert again.status_code == 409


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_document_on_record_that_is_negotiated_has_the_agreed_price(deals: QuotedDeals) -> None:
    read = deals.read("Blue Analytics,10,user,1200,12000", "On-site day,1,day,500,500", total=12_500)
    scope_id = deals.confirm(read)
    made = deals.record(scope_id, **ONE_YEAR)
    entries = deals.agree(scope_id, 10_000)["entries"]
    deals.learn()
    [agreement] = get(deals.api, "/v1/agreements")["data"]
    assert (agreement["id"], agreement["totalValue"]) == (made["id"], 10_000)
    lines = [(one["description"], one.get("quantity"), one["amount"]) for one in agreement["lines"]]
    assert lines == [("Blue Analytics", 10, 9600), ("On-site day", None, 400)]
    assert deals.count_purchases() == 11
    [purchase] = [line["purchase"] for line in deals.learned(made["id"]) if "purchase" in line]
    assert purchase["unitPrice"] == 960
    [said] = [one["text"] for one in entries if one["kind"] == "purchase"]
    assert "On-site day USD 400" in said


def test_a_usual_price_goes_with_the_purchases_that_it_was_taken_from(deals: QuotedDeals) -> None:
    entry = {"supplier": {"name": "Elm Ltd"}, "product": {"name": "Elm Desk", "unit": "desk"}}
    made = deals.api.post("/v1/catalog/entries", json={**entry, "confirmNew": True}).json()
    line = {"description": "Desks", "productId": made["productId"], "quantity": 10, "amount": 1_000}
    body = {"companyId": made["companyId"], "currency": "USD", "lines": [line | {"recurring": False}]}
    agreed = [
        deals.api.post("/v1/agreements", json={**body, "name": f"Desks {at}", "termStart": f"2026-0{at}-01"})
        for at in range(1, 7)
    ]
    deals.learn()
    path = f"/v1/catalog/products/{made['productId']}"
    assert deals.api.get(path).json()["defaultPrice"] == 100
    for one in agreed:
        assert deals.api.delete(f"/v1/agreements/{one.json()['id']}").status_code == 200
    deals.learn()
    assert "defaultPrice" not in deals.api.get(path).json()


def test_a_quote_without_a_total_asks_for_all_of_its_lines(deals: QuotedDeals) -> None:
    scope_id = deals.confirm(deals.read("Blue Analytics,10,user,1200,12000", "Shipping,1,piece,600,600"))
    timeline = deals.agree(scope_id, 12_000)
    assert [one["amount"] for one in timeline["entries"] if one["kind"] == "quote"] == [12_600]
    assert timeline["measures"][0]["saved"] == 600


@pytest.mark.parametrize("months", [12, 24])
def test_what_is_awarded_is_negotiated_for_the_term_that_is_needed(deals: QuotedDeals, months: int) -> None:
    scope_id = deals.confirm(deals.read("Blue Analytics,10,user / year,1200,12000", total=12_000))
    needed = {"description": "Blue Analytics", "quantity": 10, "productId": deals.sold["id"]}
    stated = {"name": "Seats", "currency": "USD", "termMonths": months, "lines": [needed]}
    path = f"/v1/requirements/{deals.api.post('/v1/requirements', json=stated).json()['id']}"
    quote = deals.api.post(f"{path}/quotes", json={"scopeId": scope_id}).json()
    decided = {
        "award": [quote["lines"][0]["id"]],
        "reason": "The only one.",
        "make": "negotiations",
        "contactName": "Bea",
        "contactEmail": "bea@acme.example",
    }
    [made] = deals.api.post(f"{path}/award", json=decided).json()["quotes"]
    plan_negotiation(deals.context, made["negotiationId"])
    timeline = get(deals.api, f"/v1/negotiation/{made['negotiationId']}/timeline")
    quoted = [one["amount"] for one in timeline["entries"] if one["kind"] == "quote"]
    assert (timeline["termMonths"], quoted, made["amount"]) == (months, [1_000 * months], 1_000 * months)
    assert (made.get("scopeId") == scope_id) is (months == 12)
