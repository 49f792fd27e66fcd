from components.agreements.agreement_facts import (
    draw_decisions,
    draw_key_figures,
    draw_lines,
    draw_missing,
    draw_statement,
    draw_terms,
)
from tests.components.agreements.fixtures import make_agreement


def example() -> None:
    one = make_agreement()
    draw_statement(one, None)
    draw_key_figures(one)
    draw_missing(one)
    draw_terms(one)
    draw_lines(one)
    draw_decisions(one.decisions or [])
