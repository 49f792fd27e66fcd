from components.sourcing.requirements import draw_alignment_row, label_lines
from tests.components.sourcing.fixtures import make_quote, make_requirement


def example() -> None:
    quote = make_quote()
    labels = label_lines(make_requirement().lines)
    for line in quote.lines:
        draw_alignment_row(quote, line, labels, key=f"example-{line.id}", disabled=False)
