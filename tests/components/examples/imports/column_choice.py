from components.imports.file_questions import draw_column_choice
from tests.components.imports.fixtures import make_preview


def example() -> None:
    draw_column_choice(make_preview(), kind="purchases", key="example-columns")
