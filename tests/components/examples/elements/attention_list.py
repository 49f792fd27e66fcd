from components.elements.empty_state import AttentionItem, draw_attention_list


def example() -> None:
    draw_attention_list(
        [
            AttentionItem("Acme Cloud", "A counter-offer waits for your decision.", "negotiation"),
            AttentionItem("https://example.com/hook", "3 deliveries failed.", "webhooks", urgency="red"),
        ],
        key="example-attention",
    )
