from components.imports.file_questions import draw_base_currency


def example() -> None:
    draw_base_currency(None, key="example-base")
