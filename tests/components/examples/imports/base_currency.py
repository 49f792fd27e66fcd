from components.imports.file_questions import draw_base_currency, draw_base_note


def example() -> None:
    draw_base_note(None)
    draw_base_currency(None, key="example-base")
