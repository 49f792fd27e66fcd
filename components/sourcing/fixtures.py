"""Requirements and quotes for the examples of the components."""

from datetime import date
from decimal import Decimal

from app.contract.sourcing import Requirement, RequirementLine, SourcingQuote
from components.fixtures import NOON, make_id


def make_requirement(**changes: object) -> Requirement:
    """Return a requirement of two lines for two years, with what is changed of it."""
    made = Requirement(
        id=make_id(1),
        name="Tools for the sales team",
        currency="USD",
        term_months=24,
        needed_by=date(2026, 9, 30),
        discount_rate=Decimal(8),
        lines=[
            RequirementLine(
                id=make_id(11),
                description="Analytics seats",
                quantity=Decimal(20),
                unit="seats",
                must_have=True,
            ),
            RequirementLine(
                id=make_id(12), description="Support desk", quantity=Decimal(5), unit=None, must_have=False
            ),
        ],
        quote_count=3,
        created_at=NOON,
        updated_at=NOON,
    )
    return made.model_copy(update=changes)


def make_quote(**changes: object) -> SourcingQuote:
    """Return a quote that answers the first line of `make_requirement` for certain and the second perhaps."""
    record: dict[str, object] = {
        "id": make_id(2),
        "requirementId": make_id(1),
        "supplierName": "Northgate Systems",
        "currency": "EUR",
        "validUntil": "2026-09-30",
        "leadTimeDays": 14,
        "discounts": [{"fromAmount": 10_000, "percent": 5}],
        "lines": [
            {
                "id": make_id(21),
                "requirementLineId": make_id(11),
                "description": "Analytics, per seat",
                "quantity": 20,
                "unitPrice": 95,
                "recurring": "year",
                "alignment": "confirmed",
            },
            {
                "id": make_id(22),
                "requirementLineId": make_id(12),
                "description": "Desk",
                "quantity": 5,
                "unitPrice": 12.5,
                "recurring": "month",
                "alignment": "doubtful",
                "confidence": 0.48,
            },
        ],
        "createdAt": NOON,
    }
    return SourcingQuote.model_validate({**record, **changes})
