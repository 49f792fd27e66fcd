from components.agreements.decision_form import draw_decision_form


def example() -> None:
    draw_decision_form(key="example-decision", takes_notice=True, faults={"decision": "Choose one."})
