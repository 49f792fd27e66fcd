from components.elements.page_header import draw_page_header


def example() -> None:
    draw_page_header("Acme Cloud", caption="acme.example", badges=[("discontinued", "orange")])
