"""The term that follows: its dates, its price and the sentences about it say the same everywhere."""

from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.service.agreements.test_routes import app as app
from tests.service.agreements.test_routes import get, put

LAST_OF_MONTHS = {"termStart": "2026-03-31", "termEnd": "2026-09-29", "autoRenewalTermMonths": 6}
RISE = {"kind": "fixed", "percent": 10, "compounding": True}
LOST = "The term ended on 31 December 2026 and renewed; for how long is not known"


@pytest.mark.parametrize(
    ("changes", "start", "end", "amount", "how_long"),
    [
        ({}, "1 January 2027", "2027-12-31", 73_000, ("for twelve months", "for 12 months")),
        # Nothing runs beyond its last possible day: a renewal of half a year costs half.
        (
            {"maxExtentDate": "2027-06-30"},
            "1 January 2027",
            "2027-06-30",
            36_500,
            ("until 30 June 2027",) * 2,
        ),
        # Counted from the first day, the second half of a year from 31 March ends on 30 March.
        (LAST_OF_MONTHS, "30 September 2026", "2027-03-30", 73_000, ("for six months", "for 6 months")),
        # The first term has 11 months and a half.
        (
            {"termEnd": "2026-12-15", "totalValue": 69_418.5, "autoRenewalTermMonths": 23},
            *("16 December 2026", "2028-11-15", 139_032, ("for 23 months",) * 2),
        ),
    ],
)
def test_the_next_term_is_the_one_that_is_listed_and_costs_what_the_spend_says(
    api: TestClient, changes: dict[str, Any], start: str, end: str, amount: float, how_long: tuple[str, str]
) -> None:
    made = put(api, **{"maxRenewals": 1, **changes})
    second = get(api, f"/v1/agreements/{made['id']}/occurrences")["data"][1]
    following = made["nextTerm"]
    assert (following["start"], following["end"]) == (second["start"], second["end"])
    assert (following["end"], following["amount"]) == (end, amount)
    assert f" renews on {start} {how_long[1]}" in made["action"]
    last_day = get(api, f"/v1/agreements/{made['id']}?asOf={made['currentTermEnd']}")
    assert f" It renews on {start} {how_long[0]}." in last_day["statement"]
    [spent] = get(api, "/v1/spend?first=2026-01&last=2029-12")["groups"]
    assert spent["assumed"] == amount
    assert spent["recurring"] == pytest.approx(made["totalValue"] + amount)


def test_the_price_of_what_renews_is_that_of_the_term_which_the_sentence_names(api: TestClient) -> None:
    monthly = {"autoRenewalTermMonths": 1, "noticePeriod": {"value": 1, "unit": "month"}}
    made = put(api, totalValue=12_000, uplift=RISE, **monthly)
    late = get(api, f"/v1/agreements/{made['id']}?asOf=2026-12-15")
    assert late["nextTerm"]["amount"] == 1_100
    # Notice can end the January that is to come, and not this term any more.
    assert "Give notice by 31 December 2026, or USD 1,210 renews on 1 February 2027" in late["action"]


def test_an_option_that_was_taken_renews(api: TestClient) -> None:
    made = put(api, renewalType="option")
    assert made["nextTerm"]["amount"] == 0
    path = f"/v1/agreements/{made['id']}"
    assert api.post(f"{path}/decision", json={"decision": "renew"}).status_code == 200
    for day in ("2026-07-15", "2026-11-01"):
        taken = get(api, f"{path}?asOf={day}")
        assert taken["statement"] == "The option was taken: it renews on 1 January 2027 for twelve months."
        following = taken["nextTerm"]
        assert (following["amount"], following["start"], following["end"]) == (
            *(73_000, "2027-01-01", "2027-12-31"),
        )
    assert get(api, f"{path}?asOf=2027-02-01")["nextTerm"]["amount"] == 0


def test_for_how_long_an_option_that_was_taken_renews_may_not_be_known(api: TestClient) -> None:
    made = put(api, renewalType="option", autoRenewalTermMonths=None)
    path = f"/v1/agreements/{made['id']}"
    assert api.post(f"{path}/decision", json={"decision": "renew"}).status_code == 200
    ended = get(api, f"{path}?asOf=2027-02-01")
    assert ended["status"] == "unknown"
    assert ended["statement"].startswith(LOST)


def test_nobody_is_asked_to_act_on_a_term_that_renewed_for_nobody_knows_how_long(api: TestClient) -> None:
    made = put(api, autoRenewalTermMonths=None)
    later = get(api, f"/v1/agreements/{made['id']}?asOf=2027-02-01")
    assert later["statement"].startswith(
        "The term ended on 31 December 2026 and renewed; for how long is not"
    )
    assert later.keys().isdisjoint({"actBy", "action"})


@pytest.mark.parametrize(
    ("uplift", "day", "amount", "statement"),
    [
        (None, "2026-07-15", 73_000, "It runs until notice is given: a year at the price on record."),
        (
            {"kind": "fixed", "percent": 10, "basis": "year", "compounding": True},
            *("2026-07-15", 80_300),
            "It runs until notice is given: the year from 1 January 2027 on. It rises by 10 % each year,"
            " on the risen price.",
        ),
        (
            {"kind": "cap", "percent": 10, "basis": "year"},
            *("2027-03-01", 87_600),
            "It runs until notice is given: the year from 1 January 2028 on. It rises by at most 10 % each"
            " year.",
        ),
        (
            {"kind": "fixed", "percent": 10},
            *("2026-07-15", None),
            "It runs until notice is given, so when a renewal raises the price is not known.",
        ),
        (
            {"kind": "index", "index": "CPI"},
            *("2026-07-15", None),
            "It runs until notice is given: the year from 1 January 2027 on. The price follows CPI, whose"
            " course nobody knows.",
        ),
    ],
)
def test_the_rise_of_an_agreement_without_an_end_is_in_what_its_next_year_costs(
    api: TestClient, uplift: Any, day: str, amount: float | None, statement: str
) -> None:
    made = put(api, renewalType="evergreen", autoRenewalTermMonths=None, uplift=uplift)
    following = get(api, f"/v1/agreements/{made['id']}?asOf={day}")["nextTerm"]
    assert (following.get("amount"), following["statement"]) == (amount, statement)


ONCE = {"description": "Setup", "amount": 13_000, "recurring": False}
AGAIN = {"description": "Seats", "amount": 60_000}


@pytest.mark.parametrize(
    ("stated", "once"),
    [
        ({"lines": [ONCE | {"amount": 73_000}]}, 73_000),
        ({"lines": [{"description": "Machine", "recurring": False}]}, 73_000),
        ({"lines": [{"description": "Machine", "unitPrice": 73_000, "pricePer": "once"}]}, 73_000),
        ({"lines": [ONCE, AGAIN]}, 13_000),
        ({"lines": [ONCE, AGAIN], "totalValue": 65_700}, 11_700),  # a tenth less than its lines
        ({"lines": [ONCE, AGAIN], "oneTimeValue": 3_000}, 3_000),
        ({"lines": [AGAIN]}, 0),
    ],
)
def test_what_the_lines_say_is_paid_once_is_paid_once_everywhere(
    api: TestClient, stated: dict[str, Any], once: float
) -> None:
    made = put(api, **{"oneTimeValue": None, **stated})
    assert made.get("oneTimeValue") == stated.get("oneTimeValue")
    again = made["totalValue"] - once
    assert (made["annualizedValue"], made["nextTerm"]["amount"]) == (again, again)
    [spent] = get(api, "/v1/spend?first=2026-01&last=2026-12")["groups"]
    assert (spent["oneTime"], spent["recurring"]) == (once, again)
    changed = api.patch(f"/v1/agreements/{made['id']}", json={"lines": None})
    assert changed.json()["annualizedValue"] == made["totalValue"] - stated.get("oneTimeValue", 0)


@pytest.mark.parametrize(("currency", "amount"), [("JPY", 92_308), ("USD", 92_307.69), ("KWD", 92_307.692)])
def test_what_is_computed_has_the_decimals_of_its_currency(
    api: TestClient, currency: str, amount: float
) -> None:
    made = put(
        api,
        currency=currency,
        totalValue=100_000,
        termStart="2026-01-01",
        termEnd="2027-01-31",
        uplift=None,
    )
    assert made["nextTerm"]["amount"] == amount
    months = get(api, "/v1/spend?by=month&first=2026-01&last=2026-12")["groups"]
    decimals = {len(str(one["recurring"]).partition(".")[2]) for one in months}
    assert max(decimals) == {"JPY": 0, "USD": 2, "KWD": 3}[currency]
