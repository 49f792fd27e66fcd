from components.negotiations.board import draw_negotiation_table
from tests.components.negotiations.fixtures import make_negotiation_card


def example() -> None:
    draw_negotiation_table([make_negotiation_card()])
