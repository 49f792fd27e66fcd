from components.sourcing.scenarios import draw_award_comparison
from tests.components.sourcing.fixtures import make_requirement, make_scenario


def example() -> None:
    split = make_scenario(objective="cheapest_single")
    draw_award_comparison([make_scenario(), split], make_requirement(), {})
