from decimal import Decimal

from components.estimates.price_distribution import draw_price_distribution, draw_quartiles
from tests.components.estimates.fixtures import make_percentiles


def example() -> None:
    estimate = make_percentiles()
    draw_quartiles(estimate, "USD")
    draw_price_distribution(estimate, "USD", Decimal(52_400))
