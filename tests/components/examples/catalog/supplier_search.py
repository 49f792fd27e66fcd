from components.catalog.companies import draw_supplier_search


def example() -> None:
    draw_supplier_search("example-picker")
