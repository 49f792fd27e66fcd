from components.estimates.scope_comparison import draw_highlights


def example() -> None:
    draw_highlights(["lowest quote", "lowest median"])
