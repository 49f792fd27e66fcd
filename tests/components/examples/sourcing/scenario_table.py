from components.sourcing.scenarios import draw_scenario_table
from tests.components.sourcing.fixtures import make_requirement, make_scenario


def example() -> None:
    query = {"id": "018f2c5e-7b1a-7c3d-9e4f-5a6b7c8d9e0f"}
    changed = make_scenario(outdated=["The quote of Acme Cloud was changed."])
    draw_scenario_table(
        [make_scenario(), make_scenario(status="gap"), changed], make_requirement(), {}, query
    )
