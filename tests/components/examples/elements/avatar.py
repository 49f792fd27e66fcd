from components.elements.page_header import draw_avatar


def example() -> None:
    draw_avatar("Acme Cloud")
