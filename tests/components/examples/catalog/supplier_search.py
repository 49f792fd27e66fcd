from components.catalog.supplier_search import draw_supplier_search


def example() -> None:
    draw_supplier_search("example-picker")
