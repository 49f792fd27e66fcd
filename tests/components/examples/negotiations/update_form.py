from components.negotiations.update_form import draw_update_form


def example() -> None:
    draw_update_form(
        "USD", key="example-update", faults={"amount": "More than 0 and less than one trillion."}
    )
