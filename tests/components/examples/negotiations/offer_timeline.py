from datetime import timedelta
from decimal import Decimal

from app.contract.negotiation import Figures
from components.negotiations.timeline import draw_offer_timeline
from tests.components.fixtures import NOON


def example() -> None:
    points = [
        (NOON - timedelta(days=5), Figures(quoted=Decimal(60_000), target=Decimal(45_100))),
        (NOON - timedelta(days=4), Figures(counter=Decimal(42_000))),
        (NOON, Figures(quoted=Decimal(56_000), target=Decimal(45_100))),
    ]
    draw_offer_timeline(points, "USD", key="example-offers")
