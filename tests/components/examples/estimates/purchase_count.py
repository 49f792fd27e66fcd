from components.estimates.verdict import draw_purchase_count
from tests.components.estimates.fixtures import make_advanced_estimate


def example() -> None:
    draw_purchase_count(make_advanced_estimate().real_purchase_count)
    draw_purchase_count([])
