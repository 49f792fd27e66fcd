from components.catalog.companies import draw_supplier_choice
from components.elements.form_fields import FoundOptions


def example() -> None:
    draw_supplier_choice(
        FoundOptions({"1": "Acme Cloud", "2": "Birch"}, 2), key="example-picker", required=False
    )
