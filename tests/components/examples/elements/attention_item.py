from components.elements.empty_state import draw_attention_item


def example() -> None:
    draw_attention_item("Acme Cloud: Analytics", "Above the walk-away", key="example-attention")
