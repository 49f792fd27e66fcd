from decimal import Decimal

from components.estimates.similar_purchases import draw_price_against_quantity, draw_similar_purchases
from tests.components.estimates.fixtures import make_product_explanation, make_similar_purchases


def example() -> None:
    purchases = make_similar_purchases()
    comparables = {one.id: one for one in make_product_explanation().comparables}
    draw_similar_purchases(
        purchases, "USD", key="example-similar", can_leave_out=True, comparables=comparables
    )
    draw_price_against_quantity(
        purchases, "USD", key="example-scatter", quote=(Decimal(120), Decimal(52_400))
    )
