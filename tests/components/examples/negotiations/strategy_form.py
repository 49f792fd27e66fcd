from components.negotiations.strategy import draw_strategy_form


def example() -> None:
    draw_strategy_form(key="example-strategy", faults={"note": "Enter a reason for the record."})
