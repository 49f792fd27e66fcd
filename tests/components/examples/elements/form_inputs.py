from components.elements.form_inputs import draw_number_field, draw_text_field


def example() -> None:
    faults = {"term": "Enter the months."}
    draw_text_field("Name", "name", "example-inputs", faults)
    draw_number_field("Months", "term", "example-inputs", faults, most=1200)
