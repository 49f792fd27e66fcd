from components.sourcing.quote_form import draw_correction_form
from tests.components.sourcing.fixtures import make_quote


def example() -> None:
    draw_correction_form(make_quote(), key="example-correction", faults={"currency": "Enter the currency."})
