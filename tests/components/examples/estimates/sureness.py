from components.estimates.sureness import draw_sureness
from tests.components.estimates.fixtures import make_product_explanation
from tests.components.fixtures import NOON


def example() -> None:
    draw_sureness([make_product_explanation()], NOON)
