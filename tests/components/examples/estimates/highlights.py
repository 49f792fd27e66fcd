from components.estimates.highlights import draw_highlights


def example() -> None:
    draw_highlights(["lowest quote", "lowest median"])
