from components.elements.form_fields import AMOUNT_FAULT, draw_amount_input, draw_fault


def example() -> None:
    draw_amount_input("Amount", key="example-fields/amount", help="Before tax, for the whole term.")
    draw_fault(AMOUNT_FAULT)
