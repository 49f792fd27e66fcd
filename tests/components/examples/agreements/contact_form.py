from components.agreements.contact_form import draw_contact_form


def example() -> None:
    draw_contact_form(key="example-contact", faults={"contactEmail": "Enter the address."})
