"""Negotiations for the examples of the components."""

from datetime import timedelta
from decimal import Decimal

from app.contract.negotiation import (
    Escalation,
    EscalationOption,
    ExecutiveSummary,
    Figures,
    ListedNegotiation,
    NegotiationSummary,
    SummaryScope,
    SummarySupplier,
)
from tests.components.fixtures import NOON, make_id


def make_escalation() -> Escalation:
    """Return an open escalation: a quote above the walk-away."""
    return Escalation(
        id=make_id(300),
        negotiation_id=make_id(200),
        reason="quote_above_walk_away",
        status="open",
        title="The quote is above the walk-away figure",
        description="Ledgerworks quotes USD 56,000; the walk-away figure is USD 50,200.",
        options=[
            EscalationOption(
                decision="counter",
                label="Counter",
                amount=Decimal(45_100),
                consequence="The next offer to the supplier is USD 45,100.",
            ),
            EscalationOption(
                decision="accept",
                label="Accept the quote",
                amount=Decimal(56_000),
                consequence="Signed at USD 5,800 above the walk-away figure.",
            ),
            EscalationOption(
                decision="walk_away", label="Walk away", consequence="The negotiation is cancelled."
            ),
        ],
        recommended="counter",
        created_at=NOON,
        updated_at=NOON,
        due_at=NOON + timedelta(days=3),
    )


def make_negotiation(status: str = "active") -> NegotiationSummary:
    """Return a negotiation with two offers."""
    supplier = SummarySupplier(company_id=make_id(9), name="Ledgerworks", domain="ledgerworks.example")
    first = Figures(
        quoted=Decimal(60_000), opening=Decimal(41_200), target=Decimal(45_100), walk_away=Decimal(50_200)
    )
    second = first.model_copy(update={"quoted": Decimal(56_000)})
    return NegotiationSummary(
        id=make_id(200),
        status=status,
        created_at=NOON - timedelta(days=9),
        updated_at=NOON,
        url="https://parley.example/negotiation?id=" + make_id(200),
        escalations=[make_escalation()],
        supplier=supplier,
        executive_summaries=[
            ExecutiveSummary(
                created_at=NOON,
                title="A second quote",
                text="Ledgerworks quotes USD 56,000. The target is USD 45,100.",
                figures=second,
            ),
            ExecutiveSummary(
                created_at=NOON - timedelta(days=5),
                title="The first quote",
                text="Ledgerworks quotes USD 60,000. The target is USD 45,100.",
                figures=first,
            ),
        ],
        scope=SummaryScope(id=make_id(70), product_names=["Ledger Cloud"]),
    )


def make_listed_negotiation(status: str = "active") -> ListedNegotiation:
    """Return a negotiation of a list for the examples of the components."""
    return ListedNegotiation(
        id=make_id(200),
        status=status,
        engagement_type="strategy_only",
        created_at=NOON,
        updated_at=NOON,
        supplier=SummarySupplier(name="Ledgerworks"),
        product_names=["Ledger Cloud"],
        open_escalations=1,
        currency="USD",
        quoted=Decimal(56_000),
        best_offer=Decimal(56_000),
        target=Decimal(45_100),
    )
