from components.elements.list_filter import draw_list_filter


def example() -> None:
    choices = {"Any state": None, "Agreed": "complete", "Cancelled": "cancelled"}
    draw_list_filter("State", choices, key="example-filter", page_key="example-filter-page")
