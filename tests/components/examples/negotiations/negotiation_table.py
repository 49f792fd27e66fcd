from components.negotiations.board import draw_negotiation_table
from tests.components.negotiations.fixtures import make_listed_negotiation


def example() -> None:
    draw_negotiation_table([make_listed_negotiation()])
