from components.negotiations.negotiation_start import draw_own_numbers_form, draw_people_form


def example() -> None:
    draw_people_form(key="example-people", faults={"contact-email": "This field is required."})
    faults = {"target": "The target is above the budget."}
    draw_own_numbers_form(key="example-numbers", faults=faults, quote_currency="USD")
