from components.elements.pagination import draw_pager


def example() -> None:
    draw_pager("example-older", page=2, limit=50, shown=50, has_more=True, nouns="deliveries", note="")
