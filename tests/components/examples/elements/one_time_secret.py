from components.elements.empty_state import draw_one_time_secret


def example() -> None:
    draw_one_time_secret(
        "whsec_ZXhhbXBsZS1vbmx5LW5vdC1hLXNlY3JldA==",
        "The secret of https://example.com/hooks",
        "Store it where the receiver can read it.",
        key="example-secret",
        on_stored=lambda: None,
    )
