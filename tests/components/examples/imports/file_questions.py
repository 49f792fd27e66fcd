from components.imports.file_questions import draw_file_questions
from tests.components.imports.fixtures import make_questions


def example() -> None:
    faults = {"currency": "Choose the currency."}
    draw_file_questions(make_questions(), key="example-questions", faults=faults)
