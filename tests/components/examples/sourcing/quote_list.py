from datetime import date

from components.sourcing.requirements import draw_quote_list
from tests.components.sourcing.fixtures import make_quote


def example() -> None:
    draw_quote_list([make_quote()], date(2026, 3, 2))
