from components.webhooks.webhooks import draw_webhook_health
from tests.components.fixtures import NOON
from tests.components.webhooks.fixtures import make_webhook_detail


def example() -> None:
    draw_webhook_health(make_webhook_detail(), NOON)
