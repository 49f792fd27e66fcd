from datetime import timedelta
from decimal import Decimal

from components.negotiations.timeline import TimelinePoint, draw_offer_timeline
from tests.components.fixtures import NOON


def example() -> None:
    points = [
        TimelinePoint(NOON - timedelta(days=5), offer=Decimal(60_000), target=Decimal(45_100)),
        TimelinePoint(NOON - timedelta(days=4), counter=Decimal(42_000)),
        TimelinePoint(NOON, offer=Decimal(56_000), target=Decimal(45_100)),
    ]
    draw_offer_timeline(points, "USD", key="example-offers")
