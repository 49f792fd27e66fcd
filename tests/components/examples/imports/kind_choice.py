from components.imports.file_questions import draw_kind_choice


def example() -> None:
    draw_kind_choice("rates", key="example-kind")
