from components.sourcing.requirements import draw_requirement_change_form
from tests.components.sourcing.fixtures import make_requirement


def example() -> None:
    draw_requirement_change_form(make_requirement(), key="example-change", faults={"name": "Give it a name."})
