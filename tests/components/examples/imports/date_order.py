from components.imports.file_questions import draw_date_order


def example() -> None:
    draw_date_order("day_first", key="example-date-order")
