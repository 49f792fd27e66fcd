from components.people.new_key import draw_new_key


def example() -> None:
    draw_new_key(
        "parley_example-only-not-a-key", "Nightly export", key="example-new-key", on_stored=lambda: None
    )
