from components.sourcing.scenarios import LINE, SUPPLIER, draw_award_editor, draw_scenario_form


def example() -> None:
    draw_scenario_form(key="example-scenario-form", names={"1": "Northgate"}, faults={})
    rows = [{LINE: "Analytics seats", SUPPLIER: "Northgate"}]
    draw_award_editor(rows, ["Northgate"], key="example-award", fault=None)
