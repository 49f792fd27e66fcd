from components.webhooks.delivery_list import draw_delivery_filters


def example() -> None:
    draw_delivery_filters(
        ("scope.extracted", "negotiation.summary.updated"), page_key="example-delivery-page"
    )
