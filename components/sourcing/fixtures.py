"""Requirements for the examples of the components."""

from datetime import date
from decimal import Decimal

from app.contract.sourcing import Requirement, RequirementLine
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
