from components.webhooks.delivery_detail import draw_delivery_table
from tests.components.fixtures import make_id
from tests.components.webhooks.fixtures import make_deliveries


def example() -> None:
    draw_delivery_table(make_deliveries(), webhook_id=make_id(1))
