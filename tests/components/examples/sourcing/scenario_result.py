from components.sourcing.scenarios import draw_scenario_result
from tests.components.sourcing.fixtures import make_requirement, make_scenario


def example() -> None:
    draw_scenario_result(make_scenario(), make_requirement(), {})
    impossible = make_scenario(
        status="infeasible", total=None, award=[], contradiction=["One supplier", "Seats must be had"]
    )
    changed = make_scenario(outdated=["The quote of Acme Cloud was changed."])
    draw_scenario_result(changed, make_requirement(), {})
    draw_scenario_result(impossible, make_requirement(), {})
