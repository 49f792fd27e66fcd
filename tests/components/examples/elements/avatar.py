from components.elements.avatar import draw_avatar


def example() -> None:
    draw_avatar("Acme Cloud")
