from components.webhooks.one_time_secret import draw_one_time_secret


def example() -> None:
    draw_one_time_secret(
        "whsec_ZXhhbXBsZS1vbmx5LW5vdC1hLXNlY3JldA==",
        "https://example.com/hooks",
        key="example-secret",
        on_stored=lambda: None,
    )
