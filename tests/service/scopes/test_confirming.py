"""A quote is confirmed line by line; the scope that follows keeps it, with the lines left aside."""

from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from threading import Barrier
from typing import Any
from uuid import uuid4

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from app.service.context import Context
from app.service.database.tables import quoted_price, scope
from app.service.scopes.quote import ScopeQuote, compute_coverage
from app.service.scopes.quote_store import load_quote
from app.service.scopes.store import find_scope
from tests.service.scopes.conftest import Catalog, Quoter

TERM = {"termLength": 12, "purchaseType": "new_purchase"}
QUOTE = (
    "Northgate Analytics Starter,10,user,10.00,100.00",
    "Harbour Vault,4,seat,50.00,200.00",
    "Shipping,1,,25.00,25.00",
)


def quote_of(context: Context, scope_id: str) -> ScopeQuote:
    """The quote behind a scope on record."""
    with context.database.reading() as connection:
        owner = connection.execute(
            sa.select(scope.c.organisation_id).where(scope.c.id == scope_id)
        ).scalar_one()
        stored = find_scope(connection, owner, scope_id)
        assert stored is not None
        quote = load_quote(connection, stored)
    assert quote is not None
    return quote


def analytics(catalog: Catalog, edition: str = "1", **price: Any) -> dict[str, Any]:
    values = [{"id": catalog.users, "value": 10}, {"id": catalog.edition, "value": edition}]
    return {"productId": catalog.analytics, "pricingDimensions": values, **price}


def body(catalog: Catalog, **price: Any) -> dict[str, Any]:
    return {
        "scopeTerm": TERM,
        "lines": [
            {"index": 0, "role": "product", "productTerm": analytics(catalog, finalPrice=100, **price)},
            {"index": 1, "role": "left_aside"},
            {"index": 2, "role": "not_product"},
        ],
    }


def confirm(api: TestClient, scope_id: str, sent: dict[str, Any], status: int = 201) -> dict[str, Any]:
    answer = api.post(f"/v1/scope/{scope_id}/document/confirm", json=sent)
    assert answer.status_code == status, answer.text
    scope_made: dict[str, Any] = answer.json()
    return scope_made


def quoted(context: Context) -> list[Any]:
    with context.database.reading() as connection:
        return list(connection.execute(sa.select(quoted_price).order_by(quoted_price.c.line)))


@pytest.mark.campaign
def test_the_confirmed_scope_keeps_the_quote_and_its_lines_left_aside(
    quoter: Quoter, catalog: Catalog, context: Context
) -> None:
    read = quoter.read(*QUOTE, below="Total,,,,325.00\n")
    made = confirm(quoter.api, read, body(catalog))
    assert made["previousScopeId"] == read
    assert quoter.scope(read)["nextScopeId"] == made["id"]
    assert made["scopeTerms"][0]["finalPrice"] == 325, "the quote's total stays, with what was left aside"
    assert len(made["productTerms"]) == 1
    lines = quoter.lines(made["id"])
    assert [line["role"] for line in lines] == ["product", "left_aside", "not_product"]
    assert lines[0]["productName"] == "Northgate Analytics"
    behind = quote_of(context, made["id"])
    covered = compute_coverage(behind, {0})
    assert (covered.covered, covered.quoted) == (100, 325)
    assert [line.description for line in covered.uncovered] == ["Harbour Vault", "Shipping"]


@pytest.mark.campaign
def test_a_cap_of_later_prices_comes_with_the_scope(
    quoter: Quoter, catalog: Catalog, context: Context
) -> None:
    below = "Total,,,,325.00\n\nAny price increase at renewal is limited to a maximum of 6%.\n"
    made = confirm(quoter.api, quoter.read(*QUOTE, below=below), body(catalog))
    behind = quote_of(context, made["id"])
    assert (behind.clauses.uplift_percent, behind.clauses.uplift_is_cap) == (6, True)


@pytest.mark.campaign
def test_a_confirmed_quote_is_evidence_once(quoter: Quoter, catalog: Catalog, context: Context) -> None:
    for _ in range(2):
        confirm(quoter.api, quoter.read(*QUOTE), body(catalog))
    # The same number in another file: a new version of the quote, or its invoice as XML.
    confirm(quoter.api, quoter.read(*QUOTE, number="q-7"), body(catalog))
    [row] = quoted(context)
    assert (row.product_id, row.quantity, row.amount, row.currency) == (catalog.analytics, 10, 100, "USD")
    assert row.quoted_on.isoformat() == "2026-11-02"
    assert row.term_months == 12


def test_another_quote_for_the_same_is_named_where_nothing_was_paid(quoter: Quoter, catalog: Catalog) -> None:
    first = confirm(quoter.api, quoter.read(*QUOTE), body(catalog))["id"]
    assert "Quoted to you elsewhere" not in _refusal(quoter, first), "a quote is no second opinion on itself"
    newer = confirm(quoter.api, quoter.read(*QUOTE, number="Q-8"), body(catalog))
    assert "Quoted to you elsewhere, not paid: Northgate Analytics at USD 10 per unit (" in _refusal(
        quoter, newer["id"]
    )
    follow = {"scopeTerms": [TERM], "productTerms": [analytics(catalog)], "previousScopeId": first}
    made = quoter.api.post("/v1/scope", json=follow).json()["id"]
    assert _refusal(quoter, made).count("USD 10 per unit") == 1, "the other quote, and not its own"


def test_a_corrected_supplier_is_that_of_what_follows(quoter: Quoter, catalog: Catalog) -> None:
    read = quoter.read(*QUOTE, supplier="Nrthgat Sistems")
    made = confirm(quoter.api, read, body(catalog))["id"]
    assert _supplier(quoter, made) == ("Nrthgat Sistems", None)
    known = confirm(quoter.api, read, {**body(catalog), "supplierName": "Northgate Systems Ltd"})["id"]
    assert (known, _supplier(quoter, known)) == (made, ("Northgate Systems Ltd", catalog.northgate))
    assert quoter.document(known)["supplier"]["companyId"] == catalog.northgate
    new = confirm(quoter.api, read, {**body(catalog), "supplierName": "Northgate Resellers"})["id"]
    assert _supplier(quoter, new) == ("Northgate Resellers", None)
    kept = quoter.api.post("/v1/agreements/from-document", json={"scopeId": new}).json()
    assert (kept["supplierName"], "supplierName" in kept["evidence"]) == ("Northgate Resellers", False)


def _supplier(quoter: Quoter, scope_id: str) -> tuple[str, str | None]:
    [listed] = quoter.api.get(f"/v1/scope?ids={scope_id}").json()["data"]
    return listed["supplier"]["name"], listed["supplier"].get("companyId")


def _refusal(quoter: Quoter, scope_id: str) -> str:
    answer = quoter.api.get(f"/v1/pricing/basic/{scope_id}")
    assert answer.status_code == 422, answer.text
    detail: str = answer.json()["detail"]
    return detail


def _listed(quoter: Quoter, scope_id: str) -> dict[str, Any]:
    listed: list[dict[str, Any]] = quoter.api.get("/v1/scope").json()["data"]
    return next(one for one in listed if one["id"] == scope_id)


def test_a_term_that_is_still_a_guess_is_warned_of_after_a_confirmation(
    quoter: Quoter, catalog: Catalog
) -> None:
    read = quoter.read(*QUOTE)
    guess = {**body(catalog), "scopeTerm": {**TERM, "termAssumed": True}}
    [warning] = quoter.document(confirm(quoter.api, read, guess)["id"])["warnings"]
    assert "12 months are assumed" in warning
    assert not quoter.document(confirm(quoter.api, read, body(catalog))["id"])["warnings"]


@pytest.mark.campaign
def test_the_currency_of_a_quote_that_names_none_is_asked_and_kept(
    quoter: Quoter, catalog: Catalog, context: Context
) -> None:
    """Until somebody says it, the usual one is taken and nothing is judged."""
    read = quoter.read(*QUOTE, currency="")
    document = quoter.document(read)
    assert ("currency" in document, document["assumedCurrency"]) == (False, "USD")
    assert quote_of(context, read).doubts
    assert [one.partition(" ")[2] for one in document["warnings"]] == [
        "document states no term; 12 months are assumed for what is paid by time.",
        "quote names no currency; say which it is.",
    ]
    assert "currency" not in _listed(quoter, read), "a list does not show it as if somebody had said it"
    [waiting] = quoter.api.get("/v1/overview").json()["waiting"]
    [item] = waiting["items"]
    assert (item["amount"], "currency" in item) == (325, False)
    bought = {"scopeTerms": [TERM], "productTerms": [analytics(catalog)], "previousScopeId": read}
    follows = quoter.api.post("/v1/scope", json=bought).json()["id"]
    assert "currency" not in _listed(quoter, follows), "who follows it says none either"
    assert quote_of(context, follows).doubts == quote_of(context, read).doubts
    assert quoter.document(follows)["assumedCurrency"] == "USD"
    made = confirm(quoter.api, read, {**body(catalog), "currency": "CHF"})["id"]
    assert _listed(quoter, made)["currency"] == "CHF"
    quote = quote_of(context, made)
    assert (quote.currency, quote.doubts) == ("CHF", ())
    assert {row.currency for row in quoted(context)} == {"CHF"}
    document = quoter.document(made)
    assert (document["currency"], "assumedCurrency" in document, document["warnings"]) == ("CHF", False, [])
    # Who confirms the same in another currency confirms something else.
    other = confirm(quoter.api, read, {**body(catalog), "currency": "EUR"})["id"]
    assert other not in {read, made}
    assert quote_of(context, other).currency == "EUR"
    refused = confirm(quoter.api, read, {**body(catalog), "currency": "XQZ"}, 400)
    assert [one["pointer"] for one in refused["errors"]] == ["/currency"]


@pytest.mark.campaign
def test_the_same_key_confirms_once(quoter: Quoter, catalog: Catalog) -> None:
    read = quoter.read(*QUOTE)
    headers = {"Idempotency-Key": str(uuid4())}
    path = f"/v1/scope/{read}/document/confirm"
    first, second = (quoter.api.post(path, json=body(catalog), headers=headers) for _ in range(2))
    assert first.json()["id"] == second.json()["id"]


@pytest.mark.campaign
def test_a_document_has_one_newest_version(quoter: Quoter, catalog: Catalog) -> None:
    """What is confirmed again as it is makes no other; what is confirmed anew replaces the one before, also
    where the document itself was looked at."""
    read = quoter.read(*QUOTE)
    first, again = (confirm(quoter.api, read, body(catalog))["id"] for _ in range(2))
    assert first == again
    second = confirm(quoter.api, read, body(catalog, listPrice=120))["id"]
    third = confirm(quoter.api, first, body(catalog, listPrice=130))["id"]
    chain = [quoter.api.get(f"/v1/scope/{each}").json() for each in (read, first, second, third)]
    assert [one.get("nextScopeId") for one in chain] == [first, second, third, None]
    listed = quoter.api.get("/v1/scope").json()["data"]
    assert [one["id"] for one in listed if one["status"] != "replaced"] == [third]


@pytest.mark.campaign
def test_confirmed_several_times_at_once_it_has_one_version(quoter: Quoter, catalog: Catalog) -> None:
    read, together = quoter.read(*QUOTE), Barrier(4)

    def confirm_it(_: int) -> str:
        together.wait()
        return confirm(quoter.api, read, body(catalog))["id"]

    with ThreadPoolExecutor(4) as pool:
        assert len({*pool.map(confirm_it, range(4))}) == 1
    assert quoter.api.get("/v1/scope").json()["pagination"]["total"] == 2


@pytest.mark.campaign
def test_a_following_scope_keeps_the_quote_with_its_lines_on_the_new_terms(
    quoter: Quoter, catalog: Catalog, context: Context
) -> None:
    read = quoter.read("Northgate Analytics Starter,10,user,10.00,100.00", *QUOTE[1:])
    made = confirm(quoter.api, read, body(catalog))
    follow = {
        "scopeTerms": [TERM],
        "productTerms": [analytics(catalog, "3", finalPrice=90)],
        "previousScopeId": made["id"],
    }
    followed = quoter.api.post("/v1/scope", json=follow).json()
    behind = quote_of(context, followed["id"])
    assert behind.scope_id == read
    assert [(line.role, line.amount, line.term) for line in behind.lines] == [
        ("product", Decimal(90), 0),
        ("left_aside", Decimal(200), None),
        ("not_product", Decimal(25), None),
    ]


@pytest.mark.campaign
def test_every_mistake_is_named_with_its_pointer(quoter: Quoter, catalog: Catalog) -> None:
    read = quoter.read(*QUOTE)
    sent = body(catalog)
    sent["lines"][0]["productTerm"]["pricingDimensions"].pop()
    sent["lines"][1] = {"index": 1, "role": "product"}
    sent["lines"][2]["index"] = 1
    problem = confirm(quoter.api, read, sent, 400)
    places = {error["pointer"]: error["detail"] for error in problem["errors"]}
    assert "Edition" in places["/lines/0/productTerm/pricingDimensions"]
    assert "left_aside" in places["/lines/1/productTerm"]
    assert places["/lines/2/index"] == "This line appears twice."
    assert "Shipping" in places["/lines"]


@pytest.mark.campaign
def test_a_confirmation_without_products_says_what_to_do(quoter: Quoter, catalog: Catalog) -> None:
    read = quoter.read(*QUOTE)
    lines = [{"index": index, "role": "left_aside"} for index in range(3)]
    problem = confirm(quoter.api, read, {"scopeTerm": TERM, "lines": lines}, 400)
    assert "/v1/catalog/entries" in problem["errors"][0]["detail"]


@pytest.mark.campaign
def test_another_organisations_quote_is_not_found(
    quoter: Quoter, catalog: Catalog, stranger: TestClient
) -> None:
    read = quoter.read(*QUOTE)
    confirm(stranger, read, body(catalog), 404)


@pytest.mark.campaign
def test_the_years_of_a_ramp_stay_years(quoter: Quoter, catalog: Catalog, context: Context) -> None:
    read = quoter.read(
        "Northgate Analytics Starter year 1,10,user,100.00,1000.00",
        "Northgate Analytics Starter year 2,20,user,100.00,2000.00",
        "Northgate Analytics Starter year 3,30,user,100.00,3000.00",
        below="Total,,,,6000.00\n",
    )
    scope_read = quoter.scope(read)
    assert scope_read["scopeTerms"][0]["termLength"] == 36
    assert scope_read["scopeTerms"][0]["finalPrice"] == 6000
    assert [term["finalPrice"] for term in scope_read["productTerms"]] == [1000, 2000, 3000]
    parts = [(term["firstMonth"], term["months"]) for term in scope_read["productTerms"]]
    assert parts == [(0, 12), (12, 12), (24, 12)]
    terms = [
        {**analytics(catalog, finalPrice=price), "pricingDimensions": [
            {"id": catalog.users, "value": users}, {"id": catalog.edition, "value": "1"}
        ]}
        for users, price in ((10, 1000), (20, 2000), (30, 3000))
    ]  # fmt: skip
    term = {**TERM, "termLength": 36}
    sent = {
        "scopeTerm": term,
        "lines": [{"index": index, "role": "product", "productTerm": one} for index, one in enumerate(terms)],
    }
    made = confirm(quoter.api, read, sent)["id"]
    assert [row.term_months for row in quoted(context)] == [12, 12, 12]
    followed = quoter.api.post(
        "/v1/scope", json={"scopeTerms": [term], "productTerms": terms, "previousScopeId": made}
    ).json()["id"]
    with context.database.reading() as connection:
        for scope_id in (read, made, followed):
            rows = connection.scalars(sa.select(scope.c.product_terms).where(scope.c.id == scope_id)).one()
            assert [(one["months"], one["firstMonth"]) for one in rows] == [(12, 0), (12, 12), (12, 24)]


@pytest.mark.campaign
def test_a_part_beyond_the_term_is_refused_where_it_stands(quoter: Quoter, catalog: Catalog) -> None:
    read = quoter.read("Northgate Analytics Starter,10,user,100.00,1000.00", below="Total,,,,1000.00\n")
    parts: list[tuple[dict[str, Any], str]] = [
        ({"firstMonth": 6, "months": 7}, "ends after"),
        ({"firstMonth": 6}, "for how many"),
    ]
    for part, where in parts:
        line = {"index": 0, "role": "product", "productTerm": analytics(catalog, **part)}
        problem = confirm(quoter.api, read, {"scopeTerm": {**TERM, "termLength": 12}, "lines": [line]}, 400)
        [wrong] = problem["errors"]
        assert wrong["pointer"] == "/lines/0/productTerm/months"
        assert where in wrong["detail"]


def test_the_lines_of_a_confirmed_document_have_their_confirmed_amounts(
    quoter: Quoter, catalog: Catalog
) -> None:
    """Those that were left aside too, which count for the confirmed term."""
    read = quoter.read(
        "Northgate Analytics Starter,10,user / month,10.00,100.00",
        "Harbour Vault,4,seat / month,50.00,200.00",
        below="Total,,,,300.00\n\nTerm: 12 months\n",
    )
    assert [line["termAmount"] for line in quoter.lines(read)] == [1200, 2400]
    part: dict[str, Any] = {"finalPrice": 900, "firstMonth": 6, "months": 18}
    lines = [
        {"index": 0, "role": "product", "productTerm": analytics(catalog, **part)},
        {"index": 1, "role": "left_aside"},
    ]
    made = confirm(quoter.api, read, {"scopeTerm": {**TERM, "termLength": 24}, "lines": lines})["id"]
    seen = quoter.lines(made)
    assert [line["termAmount"] for line in seen] == [900, 4800]
    assert (seen[0]["firstMonth"], seen[0]["months"]) == (6, 18)


def test_a_year_that_was_read_and_lies_beyond_the_confirmed_term_is_refused(
    quoter: Quoter, catalog: Catalog
) -> None:
    years = [f"Northgate Analytics Starter year {year},10,user,100.00,1000.00" for year in (1, 2, 3)]
    read = quoter.read(*years, below="Total,,,,3000.00\n")
    lines = [{"index": at, "role": "product", "productTerm": analytics(catalog)} for at in range(3)]
    sent = {"scopeTerm": {**TERM, "termLength": 24}, "lines": lines}
    [wrong] = confirm(quoter.api, read, sent, 400)["errors"]
    assert wrong["pointer"] == "/lines/2/productTerm/months"
    assert wrong["detail"] == "It was read for months 25 to 36, and ends after the 24 months of the term."
    lines[2] = {"index": 2, "role": "left_aside"}
    confirm(quoter.api, read, sent)


def test_what_a_minimum_adds_is_paid_for_the_lines(
    quoter: Quoter, catalog: Catalog, context: Context
) -> None:
    line = "Northgate Analytics Starter,10,user,10.00,100.00"
    below = "Total,,,,100.00\n\nTerm: 12 months\nMinimum annual commitment: USD 250.00\n"
    read = quoter.read(line, below=below)
    assert quoter.scope(read)["scopeTerms"][0]["finalPrice"] == 250

    def confirm_at(price: int) -> str:
        sent = {"index": 0, "role": "product", "productTerm": analytics(catalog, finalPrice=price)}
        made = confirm(quoter.api, read, {"scopeTerm": TERM, "lines": [sent]})
        ident: str = made["id"]
        return ident

    made = confirm_at(100)
    assert quoter.scope(made)["scopeTerms"][0]["finalPrice"] == 250
    quote = quote_of(context, made)
    assert (quote.net_total, quote.corrected_total, quote.minimum) == (250, None, 250)
    covered = compute_coverage(quote, {0})
    assert (covered.share, covered.covered) == (1, 250)
    assert quoter.scope(confirm_at(120))["scopeTerms"][0]["finalPrice"] == 250, "it costs no more"
    assert quoter.scope(confirm_at(300))["scopeTerms"][0]["finalPrice"] == 300


def test_a_price_keeps_the_three_decimals_of_its_currency(quoter: Quoter, catalog: Catalog) -> None:
    line = "Northgate Analytics Starter,3,user,411.525,1234.575"
    read = quoter.read(line, below="Total,,,,1234.575\n", currency="KWD")
    assert quoter.scope(read)["scopeTerms"][0]["finalPrice"] == 1234.575
    assert [one["termAmount"] for one in quoter.document(read)["lines"]] == [1234.575]


def test_a_list_price_less_its_discount_is_the_confirmed_price(
    quoter: Quoter, catalog: Catalog, context: Context
) -> None:
    read = quoter.read(*QUOTE, below="Total,,,,325.00\n")
    sent = body(catalog)
    sent["lines"][0]["productTerm"] = analytics(catalog, listPrice=100, discount=20)
    quote = quote_of(context, confirm(quoter.api, read, sent)["id"])
    assert (quote.lines[0].amount, quote.total) == (80, 305)
    assert [row.amount for row in quoted(context)] == [80]
    sent = {**body(catalog), "scopeTerm": {**TERM, "listPrice": 400, "discount": 25}}
    made = confirm(quoter.api, read, sent)
    assert "finalPrice" not in made["scopeTerms"][0]
    assert quote_of(context, made["id"]).total == 300


def test_a_quote_without_a_total_costs_what_its_lines_do(quoter: Quoter) -> None:
    assert quoter.scope(quoter.read(*QUOTE))["scopeTerms"][0]["finalPrice"] == 325


@pytest.mark.parametrize("below", ["", "Total,,,,387.18\n", "Net total,,,,325.00\nTotal,,,,387.18\n"])
def test_a_tax_among_the_lines_is_in_no_total(quoter: Quoter, context: Context, below: str) -> None:
    read = quoter.read(*QUOTE, "Sales tax,1,,62.18,62.18", below=below)
    assert quoter.scope(read)["scopeTerms"][0]["finalPrice"] == 325
    assert [line.amount for line in quote_of(context, read).lines] == [100, 200, 25]
    assert quoter.lines(read)[-1]["roleReason"] == "It is a tax."
