from components.negotiations.negotiation_state import draw_executive_summaries
from tests.components.negotiations.fixtures import make_negotiation


def example() -> None:
    draw_executive_summaries(make_negotiation().executive_summaries * 2, key="example-summary")
