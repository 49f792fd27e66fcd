from components.estimates.scope_comparison import draw_product_breakdown
from tests.components.estimates.fixtures import make_advanced_estimate


def example() -> None:
    draw_product_breakdown(make_advanced_estimate().product_estimates, "USD")
