from components.catalog import draw_price_ranges
from tests.components.catalog.fixtures import make_product_prices


def example() -> None:
    draw_price_ranges(make_product_prices(), "user", key="example-prices")
