from components.webhooks.webhook_form import draw_webhook_form


def example() -> None:
    draw_webhook_form(key="example-webhook", faults={"url": "Enter a full address."})
