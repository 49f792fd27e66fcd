from components.sourcing.requirements import DESCRIPTION, MUST_HAVE, QUANTITY, UNIT, draw_requirement_form


def example() -> None:
    draw_requirement_form(
        key="example-requirement",
        faults={"lines": "Line 1: enter how many, more than 0."},
        rows=[{DESCRIPTION: "Analytics seats", QUANTITY: 20, UNIT: "seats", MUST_HAVE: True}],
    )
