from components.elements.empty_state import draw_empty_state


def example() -> None:
    draw_empty_state(
        "No quotes yet",
        "A quote describes what you buy.",
        "inbox",
        action="Upload a quote",
        key="example-empty",
    )
