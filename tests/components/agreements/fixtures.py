"""Agreements for the examples of the components."""

from datetime import date
from decimal import Decimal

from app.contract.agreement_market import AgreementMarket, MarketLine, RenewalForecast
from app.contract.agreements import Agreement
from app.contract.spend import SpendGroup
from tests.components.fixtures import NOON, make_id

EXAMPLE_DAY = date(2026, 7, 15)


def make_agreement(**changes: object) -> Agreement:
    """Return an agreement that renews each year, with what is changed of it."""
    record: dict[str, object] = {
        "id": make_id(1),
        "name": "Analytics for the sales team",
        "supplierName": "Northgate Systems",
        "status": "in_notice_window",
        "stage": "not_started",
        "currency": "USD",
        "totalValue": 61_200,
        "annualizedValue": 61_200,
        "termStart": "2026-01-01",
        "termEnd": "2026-12-31",
        "renewalType": "auto_renew",
        "autoRenewalTermMonths": 12,
        "noticePeriod": {"value": 3, "unit": "month"},
        "currentTermStart": "2026-01-01",
        "currentTermEnd": "2026-12-31",
        "noticeDeadline": "2026-09-30",
        "actBy": "2026-09-30",
        "statement": "30 September 2026: three months before the current term ends on 31 December 2026.",
        "evidence": {"termEnd": {"page": 2, "text": "2026-12-31", "confidence": 0.95}},
        "missing": ["owners"],
        "decisions": [{"decision": "renegotiate", "note": "Two teams left.", "decidedAt": NOON}],
        "createdAt": NOON,
        "updatedAt": NOON,
    }
    return Agreement.model_validate({**record, **changes})


def make_market_example(number: int = 1, **changes: object) -> AgreementMarket:
    """Return an agreement that costs more than the median."""
    line = MarketLine(
        description="Seats",
        amount=Decimal(15_000),
        median=Decimal(12_000),
        position="negotiate",
        price_level="very_high",
        saving=Decimal(3_000),
        purchases=24,
        newest=EXAMPLE_DAY,
        statement="A very high price: more than nine in ten comparable purchases cost less.",
    )
    one = AgreementMarket(
        agreement_id=make_id(number),
        name="Analytics",
        supplier_name="Northgate Ltd",
        status="in_notice_window",
        act_by=EXAMPLE_DAY,
        currency="USD",
        amount=Decimal(15_000),
        compared=Decimal(100),
        certainty="strong",
        estimate=Decimal(12_000),
        saving=Decimal(3_000),
        renewal=RenewalForecast(amount=Decimal(15_750), statement="It rises by at most 5 % at each renewal."),
        lines=[line],
        priced_at=NOON,
    )
    return one.model_copy(update=changes)


def make_spend_group(name: str = "Northgate Ltd", recurring: int = 12_000) -> SpendGroup:
    """Return the spend of a supplier in a year."""
    return SpendGroup(
        key=name,
        name=name,
        currency="USD",
        agreements=2,
        recurring=Decimal(recurring),
        one_time=Decimal(1_000),
        assumed=Decimal(recurring // 3),
    )
