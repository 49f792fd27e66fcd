"""Spend: the prices of agreements spread over their days, in groups."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.service.agreements.dates.notice import NoticePeriod
from app.service.agreements.dates.occurrences import AgreementTerms
from app.service.agreements.dates.working_days import WorkingDays
from app.service.agreements.spend.spread import spread_cost
from tests.service.agreements.test_routes import app as app
from tests.service.agreements.test_routes import get, put


def test_months_of_a_term_add_up_to_its_price_and_what_is_paid_once_is_apart() -> None:
    terms = AgreementTerms(start=date(2026, 3, 15), end=date(2027, 3, 14), renewal="none")
    costs = list(
        spread_cost(Decimal(36_500), Decimal(900), terms, WorkingDays(), date(2026, 1, 1), date(2028, 12, 31))
    )
    assert sum(one.recurring for one in costs) == 36_500
    assert sum(one.one_time for one in costs) == 900
    by_month = {one.month: one.recurring for one in costs if one.recurring}
    assert len(by_month) == 13
    assert (by_month[date(2026, 3, 1)], by_month[date(2026, 4, 1)]) == (1_700, 3_000)
    assert by_month[date(2027, 3, 1)] == 1_400


@pytest.mark.parametrize(
    ("changes", "total", "assumed"),
    [
        ({}, 36_000, 24_000),  # the first term and two renewals
        ({"max_renewals": 1}, 24_000, 12_000),
        ({"renewal_months": 6}, 36_000, 24_000),
        ({"followed_on": date(2027, 1, 1)}, 12_000, 0),
        ({"notice_given": date(2026, 9, 1)}, 12_000, 0),
        ({"renewal": None}, 12_000, 0),
        ({"renewal": "evergreen"}, 36_000, 0),
    ],
)
def test_renewals_count_once_and_are_named_an_assumption(
    changes: dict[str, Any], total: int, assumed: int
) -> None:
    stated: dict[str, Any] = {
        "start": date(2026, 1, 1),
        "end": date(2026, 12, 31),
        "renewal": "auto_renew",
        "renewal_months": 12,
        "notice": NoticePeriod(3, "month"),
    }
    terms = AgreementTerms(**(stated | changes))
    costs = list(
        spread_cost(Decimal(12_000), Decimal(0), terms, WorkingDays(), date(2026, 1, 1), date(2028, 12, 31))
    )
    close = Decimal(40) if changes.get("renewal") == "evergreen" else Decimal("0.01")  # 2028 has a day more
    assert abs(sum(one.recurring for one in costs) - total) < close
    assert abs(sum(one.assumed for one in costs) - assumed) < Decimal("0.01")


def test_spend_is_grouped_and_currencies_stay_apart(
    app: FastAPI,
    api: TestClient,
    stranger: TestClient,
) -> None:
    put(api, oneTimeValue=1_000, totalValue=13_000, costCenter="IT")
    two = [{"name": "Bea Buyer", "email": "bea@acme.example"}, {"name": "Carl"}]
    put(api, name="Rent", supplierName="Southgate", currency="EUR", totalValue=6_000, owners=two)
    put(api, name="No price", totalValue=None, oneTimeValue=None)
    found = get(api, "/v1/spend?first=2026-01&last=2026-12")
    assert [(one["name"], one["currency"], one["recurring"], one["oneTime"]) for one in found["groups"]] == [
        ("Northgate Ltd", "USD", 12_000, 1_000),
        ("Southgate", "EUR", 6_000, 0),
    ]
    assert {one["currency"]: one["recurring"] for one in found["sums"]} == {"USD": 12_000, "EUR": 6_000}
    assert found["leftOut"] == 1
    months = get(api, "/v1/spend?by=month&first=2026-01&last=2026-12")["groups"]
    in_dollars = {one["key"]: one["recurring"] for one in months if one["currency"] == "USD"}
    assert list(in_dollars) == [f"2026-{number:02}" for number in range(1, 13)]
    assert sum(in_dollars.values()) == pytest.approx(12_000, abs=0.1)
    owners = get(api, "/v1/spend?by=owner&first=2026-01&last=2026-12")["groups"]
    assert {(one["name"], one["currency"]): one["recurring"] for one in owners} == {
        ("Bea Buyer", "USD"): 12_000,
        ("Bea Buyer", "EUR"): 3_000,
        ("Carl", "EUR"): 3_000,
    }
    assert {one["name"] for one in get(api, "/v1/spend?by=costCenter")["groups"]} == {"IT", "Unknown"}
    assert get(api, "/v1/spend?by=category")["first"] == "2026-01"
    assert get(stranger, "/v1/spend")["groups"] == []
    for months_asked in ("first=2026-02&last=2026-01", "first=2026-1", "first=1990-01&last=2026-01"):
        assert api.get(f"/v1/spend?{months_asked}").status_code == 400
