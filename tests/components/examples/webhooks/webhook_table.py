from app.contract.webhooks import Webhook
from components.webhooks.webhooks import draw_webhook_table
from tests.components.fixtures import NOON, make_id
from tests.components.webhooks.fixtures import make_webhook_detail


def example() -> None:
    webhook = Webhook(id=make_id(1), url="https://user:pass@example.com/hooks", events=["scope.extracted"])
    draw_webhook_table([webhook], now=NOON)
    draw_webhook_table([webhook], now=NOON, details={webhook.id: make_webhook_detail()})
