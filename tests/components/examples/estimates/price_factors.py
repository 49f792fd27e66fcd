from components.estimates.sureness import draw_price_factors
from tests.components.estimates.fixtures import make_product_explanation


def example() -> None:
    draw_price_factors(make_product_explanation(), "USD")
