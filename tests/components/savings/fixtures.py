"""A savings report for the examples of the components."""

from decimal import Decimal

from app.contract.savings import AgreedNegotiation, SavingsReport, SavingsSum
from tests.components.fixtures import NOON, make_id


def make_savings_report() -> SavingsReport:
    """Return a report on one agreed price."""
    whole = SavingsSum(
        key="2026-10",
        name="2026-10",
        currency="USD",
        negotiations=1,
        baseline=Decimal(60_000),
        target=Decimal(45_100),
        agreed=Decimal(46_000),
        savings=Decimal(14_000),
        savings_rate=Decimal("23.33"),
    )
    negotiation = AgreedNegotiation(
        negotiation_id=make_id(200),
        supplier="Ledgerworks",
        category="Software",
        agreed_at=NOON,
        currency="USD",
        against="first_offer",
        baseline=Decimal(60_000),
        target=Decimal(45_100),
        agreed=Decimal(46_000),
        savings=Decimal(14_000),
        savings_rate=Decimal("23.33"),
        purchases=31,
    )
    return SavingsReport(
        total=[whole],
        by_supplier=[whole.model_copy(update={"key": make_id(9), "name": "Ledgerworks"})],
        by_month=[whole],
        by_category=[whole.model_copy(update={"key": "software", "name": "Software"})],
        negotiations=[negotiation],
    )
