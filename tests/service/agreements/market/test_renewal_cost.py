"""What a renewal costs if nobody acts: worked cases."""

from datetime import date
from typing import Any

import pytest

from app.contract.agreements import NewAgreement
from app.service.agreements.dates.working_days import WorkingDays
from app.service.agreements.market.renewal_cost import find_renewal_cost
from app.service.agreements.stored_agreement import DateRow, build_columns

YEAR: dict[str, Any] = {
    "name": "Analytics",
    "totalValue": 13_000,
    "oneTimeValue": 1_000,
    "termStart": "2026-01-01",
    "termEnd": "2026-12-31",
    "renewalType": "auto_renew",
    "autoRenewalTermMonths": 12,
    "noticePeriod": {"value": 3, "unit": "month"},
}
RAMP: dict[str, Any] = {
    "totalValue": 500_160,
    "oneTimeValue": None,
    "termEnd": "2028-12-31",
    "lines": [
        {"description": "Desk", "amount": amount, "firstMonth": 12 * year, "months": 12}
        for year, amount in enumerate((126_720, 167_040, 206_400))
    ],
}
FIVE: dict[str, Any] = {"kind": "fixed", "percent": 5}


@pytest.mark.parametrize(
    ("changes", "as_of", "amount"),
    [
        ({}, "2026-07-15", 12_000),
        ({"uplift": FIVE}, "2026-07-15", 12_600),
        ({"uplift": {**FIVE, "kind": "cap"}}, "2026-07-15", 12_600),
        ({"uplift": FIVE}, "2027-07-15", 13_200),
        ({"uplift": {**FIVE, "compounding": True}}, "2027-07-15", 13_230),
        ({"uplift": FIVE, "autoRenewalTermMonths": 6}, "2026-07-15", 6_300),
        # In a renewal of two years, the second one is dearer again.
        ({"uplift": {**FIVE, "basis": "year"}, "autoRenewalTermMonths": 24}, "2026-07-15", 25_800),
        (
            {"uplift": {**FIVE, "basis": "year", "compounding": True}, "autoRenewalTermMonths": 24},
            "2026-07-15",
            25_830,
        ),
        ({"uplift": {"kind": "index", "index": "the CPI"}}, "2026-07-15", None),
        ({"uplift": {"kind": "fixed"}}, "2026-07-15", None),
        # Nothing of it is paid again, whatever rises.
        ({"oneTimeValue": 13_000, "uplift": {"kind": "index"}}, "2026-07-15", 0),
        (
            {
                "oneTimeValue": 13_000,
                "uplift": FIVE,
                "renewalType": "evergreen",
                "autoRenewalTermMonths": None,
            },
            "2026-07-15",
            0,
        ),
        ({"noticeGivenOn": "2026-09-01"}, "2026-09-15", 0),
        ({"renewalType": "none", "autoRenewalTermMonths": None}, "2026-07-15", 0),
        ({"renewalType": "evergreen", "autoRenewalTermMonths": None}, "2026-07-15", 12_000),
        ({"renewalType": None}, "2026-07-15", None),
        ({"totalValue": None, "oneTimeValue": None}, "2026-07-15", None),
        ({"maxRenewals": 0}, "2026-07-15", 0),
        # What is bought more of each year renews as it is bought last.
        (RAMP, "2028-07-15", 206_400),
        ({**RAMP, "uplift": FIVE}, "2028-07-15", 216_720),
        ({**RAMP, "uplift": {**FIVE, "basis": "year"}}, "2028-07-15", 216_720),
        ({**RAMP, "totalValue": 250_080}, "2028-07-15", 103_200),
        ({**RAMP, "autoRenewalTermMonths": 6}, "2028-07-15", 103_200),
        # What a month of a part costs says it as well.
        (
            {
                **RAMP,
                "lines": [
                    {"description": "Desk", "unitPrice": price, "quantity": 2, "pricePer": "month"}
                    | {"firstMonth": 12 * year, "months": 12}
                    for year, price in enumerate((5_280, 6_960, 8_600))
                ],
            },
            "2028-07-15",
            206_400,
        ),
        # A part that costs nobody knows what: the average of the term.
        (
            {**RAMP, "lines": [{**RAMP["lines"][0], "amount": None}, *RAMP["lines"][1:]]},
            "2028-07-15",
            166_720,
        ),
        ({**RAMP, "lines": [{**RAMP["lines"][0], "months": 48}, *RAMP["lines"][1:]]}, "2028-07-15", 166_720),
    ],
)
def test_a_renewal_costs(changes: dict[str, Any], as_of: str, amount: float | None) -> None:
    stated = {name: value for name, value in {**YEAR, **changes}.items() if value is not None}
    agreed = NewAgreement.model_validate(stated)
    columns: dict[str, Any] = (
        dict.fromkeys(DateRow._fields) | {"options_exercised": 0} | build_columns(agreed)
    )
    dates = DateRow(*(columns[name] for name in DateRow._fields))
    day = date.fromisoformat(as_of)
    cost = find_renewal_cost(agreed, dates.terms, dates.find_position(day, WorkingDays()), day)
    assert cost.amount == amount
    assert cost.statement.endswith(".")
