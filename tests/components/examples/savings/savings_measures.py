from decimal import Decimal

from app.contract.savings import SavingsMeasure
from components.savings import draw_savings_measures


def example() -> None:
    draw_savings_measures(
        [
            SavingsMeasure(
                against="first_offer",
                baseline=Decimal(60_000),
                saved=Decimal(14_000),
                rate=Decimal("23.33"),
                basis="The supplier's first offer, of 2026-03-01.",
            ),
            SavingsMeasure(
                against="target",
                baseline=Decimal(45_100),
                saved=Decimal(-900),
                rate=Decimal(-2),
                basis="The target: a quarter pay less.",
            ),
        ],
        "USD",
    )
