"""Requirements, quotes and scenarios for the examples of the components."""

from datetime import date
from decimal import Decimal

from app.contract.sourcing import Requirement, RequirementLine, Scenario, SourcingQuote
from tests.components.fixtures import NOON, make_id


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


def make_scenario(**changes: object) -> Scenario:
    """Return a proven scenario that awards one line and leaves one open."""
    record: dict[str, object] = {
        "id": make_id(3),
        "requirementId": make_id(1),
        "objective": "cheapest_split",
        "constraints": {"maxSuppliers": 2},
        "status": "optimal",
        "total": 24_700,
        "discount": 1_300,
        "bound": 24_700,
        "gap": 0,
        "award": [
            {
                "requirementLineId": make_id(11),
                "quoteLineId": make_id(21),
                "quoteId": make_id(2),
                "supplierName": "Northgate Systems",
                "amount": 26_000,
            }
        ],
        "openLines": [make_id(12)],
        "excluded": [{"what": "Acme Cloud", "why": "The quote expired on 1 March 2026."}],
        "costs": [{"constraint": "At most 2 suppliers", "amount": 310.5, "proven": True}],
        "singleSupplier": {
            "supplierName": "Northgate Systems",
            "total": 26_000,
            "saving": 1_300,
            "proven": True,
        },
        "contradiction": [],
        "assumptions": ["Taxes, delivery and later price rises are not in the amounts."],
        "ratesDate": "2026-03-02",
        "createdAt": NOON,
    }
    return Scenario.model_validate({**record, **changes})
