from components.people.key_form import draw_key_form


def example() -> None:
    draw_key_form(("reader", "buyer"), key="example-key", faults={"name": "Enter what the key is for."})
