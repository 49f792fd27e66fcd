from components.catalog import draw_dimension_list
from tests.components.catalog.fixtures import make_product


def example() -> None:
    draw_dimension_list(make_product().pricing_dimensions)
