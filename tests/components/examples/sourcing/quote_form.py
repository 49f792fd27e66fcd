from components.sourcing.requirements import (
    draw_correction_table,
    draw_quote_table,
    make_correction_rows,
    make_quote_rows,
)
from tests.components.sourcing.fixtures import make_quote, make_requirement


def example() -> None:
    lines = make_requirement().lines
    draw_quote_table(make_quote_rows(lines), lines, key="example-quote")
    draw_correction_table(make_correction_rows(make_quote()), key="example-correction")
