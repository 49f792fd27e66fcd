"""Spend: the prices of agreements spread over their days, in groups."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from random import Random
from typing import Any, cast

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.contract.agreements import AgreementOwner, NewAgreement, NoticePeriod
from app.contract.spend import SpendBy
from app.service.access.keys import find_organisation
from app.service.agreements import spend
from app.service.agreements.dates.position import (
    AgreementTerms,
    RenewalType,
    find_position,
    iterate_occurrences,
)
from app.service.agreements.dates.working_days import WorkingDays
from app.service.agreements.spend import build_spend_report, find_one_time_month, list_shares
from app.service.agreements.store import load_agreements
from app.service.agreements.stored_agreement import build_columns
from app.service.charges.months import add_months
from app.service.context import Context
from app.service.database.tables import agreement
from app.service.ids import new_id
from tests.service.agreements.test_routes import NOW, get, put
from tests.service.agreements.test_routes import app as app

CLOSE = Fraction(1, 10**12)


def test_months_of_a_term_add_up_to_its_price_and_what_is_paid_once_is_apart() -> None:
    terms = AgreementTerms(start=date(2026, 3, 15), end=date(2027, 3, 14), renewal="none")
    first, last = date(2026, 1, 1), date(2028, 12, 31)
    by_month = {
        one.month: one.of_price(Decimal(36_500)) for one in list_shares(terms, WorkingDays(), first, last)
    }
    assert sum(by_month.values()) == 36_500
    assert find_one_time_month(terms, first, last) == date(2026, 3, 1)
    assert find_one_time_month(terms, date(2026, 4, 1), last) is None
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
        "notice": NoticePeriod(value=3, unit="month"),
    }
    terms = AgreementTerms(**(stated | changes))
    shares = list_shares(terms, WorkingDays(), date(2026, 1, 1), date(2028, 12, 31))
    costs = [(one.of_price(Decimal(12_000)), one.assumed) for one in shares]
    close = Decimal(40) if changes.get("renewal") == "evergreen" else Decimal("0.01")  # 2028 has a day more
    assert abs(sum(cost for cost, _ in costs) - total) < close
    assert abs(sum(cost for cost, later in costs if later) - assumed) < Decimal("0.01")


@pytest.mark.campaign
def test_months_and_whole_terms_cost_what_their_days_do() -> None:
    dice = Random(7)
    first, last = date(2026, 2, 1), date(2028, 1, 31)
    kinds: tuple[RenewalType | None, ...] = ("auto_renew", "auto_renew", "option", "evergreen", "none", None)
    for _ in range(150):
        start = date(2023, 1, 1) + timedelta(dice.randrange(1_500))
        length = dice.choice((1, 3, 12, 24))
        terms = AgreementTerms(
            start=start,
            end=add_months(start, length) - timedelta(dice.choice((1, 1, 9))),
            renewal=dice.choice(kinds),
            renewal_months=dice.choice((1, 3, 12, 12)),
            max_renewals=dice.choice((None, None, 2)),
            notice=NoticePeriod(value=1, unit="month"),
            notice_given=dice.choice((None, None, start + timedelta(400))),
            options_exercised=dice.randrange(3),
            followed_on=dice.choice((None, None, date(2027, 5, 17))),
        )
        price = Decimal(dice.randrange(1, 10**7)) / 100
        slow = cost_of_days(Fraction(price), terms, first, last)
        by_month: dict[date, Fraction] = defaultdict(Fraction)
        for one in list_shares(terms, WorkingDays(), first, last):
            by_month[one.month] += Fraction(one.of_price(price))
        assert by_month.keys() == slow.keys(), terms
        assert all(abs(by_month[month] - slow[month][0]) < CLOSE for month in slow), terms
        whole = list_shares(terms, WorkingDays(), first, last, by_month=False)
        for at, counted in enumerate((whole, [one for one in whole if one.assumed])):
            total = sum(Fraction(one.of_price(price)) for one in counted)
            assert abs(total - sum(both[at] for both in slow.values())) < CLOSE, (at, terms)


@pytest.mark.parametrize(
    ("renewal", "later"),
    [("auto_renew", {2029: 25_000}), ("none", {}), ("evergreen", {2029: 25_000})],
)
def test_each_month_of_a_ramp_has_its_own_price(
    api: TestClient, app: FastAPI, renewal: str, later: dict[int, int]
) -> None:
    years = [
        {"description": f"Seats, year {at + 1}", "amount": amount, "firstMonth": 12 * at, "months": 12}
        for at, amount in enumerate((15_000, 20_000, 25_000))
    ]
    support = {"description": "Support", "amount": 3_600}
    setup = {"description": "Setup", "amount": 1_000, "recurring": False}
    put(
        api,
        termStart="2026-01-01",
        termEnd="2028-12-31",
        renewalType=renewal,
        totalValue=64_600,
        oneTimeValue=1_000,
        lines=[*years, support, setup],
        **({"autoRenewalTermMonths": 12} if renewal == "auto_renew" else {}),
    )
    months = get(api, "/v1/spend?by=month&first=2026-01&last=2029-12")["groups"]
    found: dict[int, float] = defaultdict(float)
    for one in months:
        found[int(one["key"][:4])] += one["recurring"]
    rise = {year: amount + 1_200 for year, amount in later.items()}
    expected = {2026: 16_200, 2027: 21_200, 2028: 26_200, **rise}
    assert found == pytest.approx(expected, abs=75 if renewal == "evergreen" else 0.1)
    [whole] = get(api, "/v1/spend?first=2026-01&last=2028-12")["groups"]
    assert (whole["recurring"], whole["oneTime"]) == (pytest.approx(63_600, abs=0.02), 1_000)


def count_months(first: date, last: date) -> Fraction:
    """Return how many months there are from a first to a last day, with the part of the last one."""
    whole = 0
    while add_months(first, whole + 1) <= last + timedelta(1):
        whole += 1
    begun = add_months(first, whole)
    return whole + Fraction((last + timedelta(1) - begun).days, (add_months(first, whole + 1) - begun).days)


def cost_of_days(
    price: Fraction, terms: AgreementTerms, first: date, last: date
) -> dict[date, tuple[Fraction, Fraction]]:
    """Return what each month costs, and how much of it later terms do, day by day in fractions."""
    assert terms.start is not None
    assert terms.end is not None
    length = (terms.end - terms.start).days + 1
    months = count_months(terms.start, terms.end)
    bound = min(last, terms.followed_on - timedelta(1)) if terms.followed_on else last
    spans = [(one.start, one.end, one.index) for one in iterate_occurrences(terms, WorkingDays())]
    if terms.renewal == "evergreen":
        spans = [(terms.start, find_position(terms, last, WorkingDays()).ends_on or bound, 0)]
    found: dict[date, tuple[Fraction, Fraction]] = {}
    for start, end, index in spans:
        assert start is not None
        day_price, renewed = price / length, terms.renewal_months
        if index and renewed:
            first_day, passed = (terms.start, months) if months % 1 == 0 else (terms.end + timedelta(1), 0)
            is_whole = add_months(first_day, int(passed) + index * renewed) == end + timedelta(1)
            paid = renewed if is_whole else count_months(start, end)
            day_price = price * paid / months / ((end - start).days + 1)
        day = max(start, first)
        while day <= min(end, bound):
            paid, assumed = found.get(day.replace(day=1), (Fraction(0), Fraction(0)))
            found[day.replace(day=1)] = paid + day_price, assumed + (day_price if index else 0)
            day += timedelta(1)
    return found


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
    assert get(api, "/v1/spend?last=1900-03")["first"] == "1900-01"
    assert get(api, "/v1/spend?first=2098-10")["last"] == "2098-12"
    for months_asked in ("first=2026-02&last=2026-01", "first=2026-1", "first=1990-01&last=2026-01"):
        assert api.get(f"/v1/spend?{months_asked}").status_code == 400


def test_an_owner_is_one_group_however_the_name_and_the_address_are_written(api: TestClient) -> None:
    for name, email in (("Ann", "ann@acme.example"), ("Ann Berg", "Ann@Acme.example")):
        owners = [{"name": name, "email": email}]
        put(api, termStart="2026-01-01", termEnd="2026-12-31", totalValue=600, owners=owners)
    spent = get(api, "/v1/spend?by=owner&first=2026-01&last=2026-12")
    counted = [(one["key"], one["name"], one["agreements"], one["recurring"]) for one in spent["groups"]]
    assert counted == [("ann@acme.example", "Ann Berg", 2, 1_200)]


OWNERS = [AgreementOwner(name="Bea", email="bea@acme.example"), AgreementOwner(name="Carl")]


def invent(dice: Random, number: int) -> NewAgreement:
    start = date(2024, 1, 1) + timedelta(30 * dice.randrange(40))
    renewal = dice.choice(("auto_renew", "auto_renew", "option", "evergreen", "none"))
    return NewAgreement(
        name=f"Agreement {number}",
        supplier_name=dice.choice(("Northgate", "Southgate", None)),
        owners=dice.choice((OWNERS, OWNERS[:1], [*OWNERS, *OWNERS[1:]], [])),
        cost_center=dice.choice(("IT", "Sales", None)),
        currency=dice.choice(("USD", "USD", "EUR", None)),
        total_value=dice.choice((None, Decimal(0), Decimal(dice.randrange(10**7)) / 100)),
        one_time_value=dice.choice((None, Decimal(0), Decimal(dice.randrange(10**4)) / 100)),
        term_start=start,
        term_end=dice.choice((None, add_months(start, dice.choice((1, 12, 24))) - timedelta(1))),
        renewal_type=renewal,
        auto_renewal_term_months=dice.choice((1, 12)) if renewal == "auto_renew" else None,
        notice_period=NoticePeriod(value=dice.choice((1, 3)), unit="month"),
        notice_given_on=dice.choice((None, None, start + timedelta(200))),
    )


def find_keys(one: NewAgreement, by: str, months: Iterable[date]) -> Mapping[str, Sequence[date]]:
    """The groups of an agreement, with the months that count in each; of two that are equal, one."""
    if by == "month":
        return {f"{month:%Y-%m}": [month] for month in months}
    named = {"supplier": one.supplier_name, "category": None, "costCenter": one.cost_center}
    keys = [owner.email or owner.name for owner in one.owners or ()] if by == "owner" else [named[by]]
    return {key or "unknown": list(months) for key in keys or ["unknown"]}


@pytest.mark.campaign
@pytest.mark.parametrize("by", ["supplier", "category", "owner", "costCenter", "month"])
def test_a_report_adds_up_what_each_agreement_costs_each_day(
    app: FastAPI, api: TestClient, context: Context, by: str
) -> None:
    dice, first, last = Random(11), date(2026, 1, 1), date(2026, 12, 1)
    agreed = [invent(dice, number) for number in range(60)]
    with context.database.writing() as connection:
        organisation_id = find_organisation(connection, "Acme")
        rows = [
            {"id": new_id(), "organisation_id": organisation_id, "search_text": "", "evidence": {}}
            | {"created_at": NOW, "updated_at": NOW, **build_columns(one)}
            for one in agreed
        ]
        connection.execute(agreement.insert(), rows)
    until = date(2026, 12, 31)
    slow: dict[tuple[str, str], list[Fraction]] = defaultdict(lambda: [Fraction(0)] * 3)
    members: dict[tuple[str, str], set[str]] = defaultdict(set)
    with context.database.reading() as connection:
        stored = load_agreements(connection, [row["id"] for row in rows])
        built = build_spend_report(connection, organisation_id, cast(SpendBy, by), first, last)
    left_out = 0
    for one in stored.values():
        terms, currency, total = one.dates.terms, one.agreed.currency, one.agreed.total_value
        if currency is None or total is None or terms.start is None or terms.end is None:
            left_out += 1
            continue
        once = one.agreed.one_time_value or Decimal(0)
        costs = cost_of_days(Fraction(total - once), terms, first, until)
        owners = (one.agreed.owners or []) if by == "owner" else []
        for key, months in find_keys(one.agreed, by, costs).items():
            share = Fraction(
                sum((owner.email or owner.name) == key for owner in owners) or 1, len(owners) or 1
            )
            for month in months:
                group = slow[key, currency]
                group[0] += costs[month][0] * share
                group[1] += Fraction(once) * share * (terms.start.replace(day=1) == month)
                group[2] += costs[month][1] * share
                members[key, currency].add(one.id)
    assert built.left_out == left_out > 0
    found = {(one.key, one.currency): one for one in built.groups}
    assert found.keys() == slow.keys()
    for key, amounts in slow.items():
        exact = [Fraction(found[key].recurring), Fraction(found[key].one_time), Fraction(found[key].assumed)]
        assert all(abs(one - other) <= Fraction(1, 200) for one, other in zip(exact, amounts, strict=True)), (
            key
        )
        assert found[key].agreements == len(members[key])


def test_an_agreement_of_two_small_groups_counts_once_among_the_others(
    api: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spend, "MOST_GROUPS", 1)
    for value, names in ((9_000, ["Ada"]), (1_000, ["Ben", "Cy"]), (400, ["Ben"])):
        owners = [{"name": name} for name in names]
        put(api, termStart="2026-01-01", termEnd="2026-12-31", totalValue=value, owners=owners)
    spent = get(api, "/v1/spend?by=owner&first=2026-01&last=2026-12")
    counted = [(one["name"], one["agreements"], one["recurring"]) for one in spent["groups"]]
    assert counted == [("Ada", 1, 9_000), ("Others", 2, 1_400)]
    assert [(one["agreements"], one["recurring"]) for one in spent["sums"]] == [(3, 10_400)]
