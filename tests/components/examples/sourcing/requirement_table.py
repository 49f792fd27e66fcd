from components.sourcing.requirements import draw_requirement_table
from tests.components.sourcing.fixtures import make_requirement


def example() -> None:
    draw_requirement_table([make_requirement()])
