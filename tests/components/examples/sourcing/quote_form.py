from components.sourcing.quote_form import draw_quote_form
from tests.components.sourcing.fixtures import make_requirement


def example() -> None:
    requirement = make_requirement()
    draw_quote_form(
        requirement.lines, requirement.currency, key="example-quote", faults={"supplierName": "Whose is it?"}
    )
