from components.sourcing.requirements import draw_quotes_being_read


def example() -> None:
    draw_quotes_being_read(["quote_7.pdf"])
