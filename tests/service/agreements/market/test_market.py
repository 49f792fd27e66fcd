"""Agreements against the market, over HTTP."""

from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.contract.agreement_market import MarketLine
from app.service.agreements.market.jobs import price_outdated
from app.service.agreements.market.line_pricing import summarise
from app.service.context import Context
from app.service.database.tables import agreement
from app.service.pricing.rates.files import ExchangeRate
from app.service.pricing.rates.store import write_rates
from tests.service.agreements.test_routes import YEAR, get, put
from tests.service.agreements.test_routes import app as app
from tests.service.pricing.scope_requests import imported, product, row, scope_body, term


def line(product_id: str | None, amount: float | None, quantity: float | None = 10) -> dict[str, Any]:
    stated = {"productId": product_id, "amount": amount, "quantity": quantity, "recurring": True}
    return {"description": "Seats", **{name: value for name, value in stated.items() if value is not None}}


def price(context: Context, api: TestClient, query: str = "") -> Any:
    for organisation_id in _list_organisations(context):
        price_outdated(context, organisation_id)
    return get(api, f"/v1/market{query}")


def _list_organisations(context: Context) -> list[str]:
    with context.database.reading() as connection:
        return list(connection.scalars(sa.select(agreement.c.organisation_id).distinct()))


@pytest.mark.parametrize(
    ("amount", "compared", "certainty"),
    [("1", 1, "partial"), ("796", 79, "partial"), ("800", 80, "strong"), ("996", 99, "strong")],
)
def test_what_is_compared_is_as_much_as_is_said(amount: str, compared: int, certainty: str) -> None:
    sound, rest = Decimal(amount), 1_000 - Decimal(amount)
    prices = summarise(
        [
            MarketLine(
                description="Seats", amount=sound, median=sound, position="accept", statement="Usual."
            ),
            MarketLine(description="Others", amount=rest, statement="Too few purchases."),
        ]
    )
    assert (prices.compared, prices.certainty) == (compared, certainty)


@pytest.mark.campaign
def test_agreements_are_priced_like_scopes_and_ranked(
    app: FastAPI,
    api: TestClient,
    stranger: TestClient,
    context: Context,
    tmp_path: Path,
) -> None:
    buyers = "ABCDEF"
    lines = [
        row(at, price=90 + at % 5 * 5, buyer=f"Buyer {buyers[at % 6]}", day=f"2026-0{1 + at % 6}-11")
        for at in range(24)
    ]
    imported(context, tmp_path, lines)
    sold = product(api)
    estimate = api.post(
        "/v1/pricing/preview",
        json={**scope_body(term(sold, quantity=10))}
        | {"scopeTerms": [{"termLength": 12, "purchaseType": "renewal"}]},
    ).json()["estimate"]
    later = {"termStart": "2026-06-01", "termEnd": "2027-05-31"}
    late = put(api, name="Late", lines=[line(sold["id"], 15_000)], totalValue=15_000, **later)
    soon = put(api, name="Soon", lines=[line(sold["id"], 15_000)], totalValue=15_000)
    mixed = put(api, name="Mixed", lines=[line(sold["id"], 15_000), line(None, 15_000)], totalValue=30_000)
    cheap = put(api, name="Cheap", lines=[line(sold["id"], 9_000)], totalValue=9_000)
    two = put(api, name="Two", lines=[line(sold["id"], 15_000)] * 2, totalValue=30_000)
    odd = put(api, name="Odd", lines=[line(sold["id"], 15_000, None), line(sold["id"], None)])
    gone = put(
        api,
        name="Gone",
        renewalType="none",
        autoRenewalTermMonths=None,
        noticePeriod=None,
        termStart="2024-01-01",
        termEnd="2024-12-31",
        lines=[line(sold["id"], 15_000)],
    )
    assert get(api, "/v1/market")["waiting"] == 6
    found = price(context, api)
    assert found["waiting"] == 0
    records = {one["agreementId"]: one for one in found["data"]}
    assert gone["id"] not in records
    assert [one["agreementId"] for one in found["data"]] == [
        two["id"], soon["id"], late["id"], mixed["id"], *sorted((cheap["id"], odd["id"])),
    ]  # fmt: skip
    [priced] = records[soon["id"]]["lines"]
    assert priced["median"] == estimate["percentile50"]
    assert priced["percentile25"] == estimate["percentile25"]
    assert priced["position"] == "negotiate"
    assert records[soon["id"]]["saving"] == round(15_000 - priced["median"], 2)
    assert (records[soon["id"]]["compared"], records[soon["id"]]["certainty"]) == (100, "strong")
    assert (records[mixed["id"]]["compared"], records[mixed["id"]]["certainty"]) == (50, "partial")
    assert "not in the catalog" in records[mixed["id"]]["lines"][1]["statement"]
    assert records[cheap["id"]]["saving"] == 0
    assert records[odd["id"]]["certainty"] == "thin"
    assert "saving" not in records[odd["id"]]
    assert [one["statement"] for one in records[odd["id"]]["lines"]] == [
        "The quantity is not known.",
        "What it costs for the term is not known.",
    ]
    assert records[soon["id"]]["renewal"]["amount"] == 15_000
    assert records[soon["id"]]["nextStep"] == priced["nextStep"]
    step = records[two["id"]]["nextStep"]
    assert step["action"] == "ask"
    assert priced["percentile25"] < step["amount"] < 2 * priced["percentile25"], "of both lines together"
    assert "nextStep" not in records[mixed["id"]], "half of it was not compared"
    saved = sum(one.get("saving", 0) for one in found["data"])
    assert found["sums"] == [
        {"currency": "USD", "agreements": 6, "amount": 114_000, "saving": round(saved, 2)}
    ]
    assert [one["name"] for one in price(context, api, "?saving=true&limit=2")["data"]] == ["Two", "Soon"]
    assert [one["name"] for one in get(api, f"/v1/market?agreementId={late['id']}")["data"]] == ["Late"]
    assert price(context, api, "?name=chea")["pagination"]["total"] == 1
    assert get(stranger, "/v1/market")["pagination"]["total"] == 0
    put(api, name="Next", previousAgreementId=soon["id"], termStart="2027-01-01", termEnd="2027-12-31")
    left = {one["agreementId"] for one in price(context, api)["data"]}
    assert soon["id"] not in left, "its next price is agreed"
    assert left > {late["id"], mixed["id"]}


def test_savings_in_another_currency_are_converted_or_said_not_to_be(
    app: FastAPI,
    api: TestClient,
    context: Context,
    tmp_path: Path,
) -> None:
    lines = [row(at, price=100, currency="EUR", buyer=f"B{at % 6}", day="2026-05-11") for at in range(12)]
    imported(context, tmp_path, lines)
    sold = product(api)
    put(api, **{**YEAR, "currency": "EUR", "lines": [line(sold["id"], 20_000)]})
    [one] = price(context, api)["data"]
    assert one["saving"] > 0
    assert "savingConverted" not in one, "without a rate nothing is converted"
    assert api.patch(f"/v1/agreements/{one['agreementId']}", json={"currency": "USD"}).status_code == 200
    changed = get(api, "/v1/market")
    assert (changed["data"], changed["sums"]) == ([], []), "no euros as dollars"
    assert api.patch(f"/v1/agreements/{one['agreementId']}", json={"currency": "EUR"}).status_code == 200
    now = context.clock()
    rate = ExchangeRate(base="EUR", currency="USD", day=now.date(), rate=1.25)
    for later, waiting in ((-1, 0), (1, 1)):
        with context.database.writing() as connection:
            write_rates(connection, [rate], now + timedelta(minutes=later))
        assert get(api, "/v1/market")["waiting"] == waiting, "as the rate is newer than the price"


@pytest.mark.campaign
def test_what_the_scope_states_of_a_product_counts(
    app: FastAPI,
    api: TestClient,
    context: Context,
    tmp_path: Path,
) -> None:
    lines = [
        row(at, price=100 if at % 2 else 200, edition=("Basic", "Pro")[at % 2 == 0], buyer=f"B{at % 6}")
        for at in range(40)
    ]
    imported(context, tmp_path, lines)
    sold = product(api)
    chosen = api.post("/v1/scope", json=scope_body(term(sold, quantity=10, edition="Pro"))).json()["id"]
    agreed = {"lines": [line(sold["id"], 24_000)], "totalValue": 24_000}
    put(api, name="Of a scope", scopeId=chosen, **agreed)
    put(api, name="By hand", **agreed)
    named = {**line(sold["id"], 24_000), "description": "Blue Analytics Pro"}
    put(api, name="By its name", lines=[named], totalValue=24_000)
    priced = {one["name"]: one["lines"][0] for one in price(context, api)["data"]}
    assert priced["By hand"]["statement"] == "Not stated, although the price depends on it: Edition."
    assert priced["Of a scope"]["position"] != "withheld"
    assert 20_000 < priced["Of a scope"]["median"] < 28_000
    assert priced["By its name"]["median"] == priced["Of a scope"]["median"]
