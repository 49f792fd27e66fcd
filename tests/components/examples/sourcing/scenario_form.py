from components.sourcing.scenarios import LINE, SUPPLIER, draw_award_editor


def example() -> None:
    rows = [{LINE: "Analytics seats", SUPPLIER: "Northgate"}]
    draw_award_editor(rows, ["Northgate"], key="example-award", fault=None)
