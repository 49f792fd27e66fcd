from components.webhooks.webhooks import draw_hourly_deliveries
from tests.components.webhooks.fixtures import make_webhook_detail


def example() -> None:
    draw_hourly_deliveries(make_webhook_detail().health.hours, alt="Deliveries of a day, by the hour")
