from datetime import timedelta
from decimal import Decimal

from app.contract.savings import DealAccuracy, DealEstimate, UncountedDeals
from components.estimates.sureness import draw_deal_accuracy
from tests.components.fixtures import NOON


def example() -> None:
    deal = DealEstimate(
        negotiation_id="01890000-0000-7000-8000-000000000001",
        supplier="Northgate Ltd",
        estimated_at=NOON,
        signed_at=NOON + timedelta(days=9),
        currency="USD",
        median=Decimal(1100),
        low=Decimal(900),
        high=Decimal(1300),
        paid=Decimal(1000),
        error=Decimal("0.1"),
        within80=True,
    )
    draw_deal_accuracy(
        DealAccuracy(
            deals=1,
            mdape=Decimal("0.1"),
            bias=Decimal("0.1"),
            coverage80=Decimal(1),
            statement="Only 1 deal can be compared: too few to say how right estimates are before a deal.",
            compared=[deal],
            uncounted=[UncountedDeals(reason="There was no estimate.", total=2)],
        )
    )
