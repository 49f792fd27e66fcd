from components.elements.page_header import draw_identifier


def example() -> None:
    draw_identifier("Quote", "018f2c5e-7b1a-7c3d-9e4f-5a6b7c8d9e0f")
