from components.webhooks.delivery_detail import draw_delivery_detail, draw_delivery_state
from tests.components.fixtures import NOON
from tests.components.webhooks.fixtures import make_delivery


def example() -> None:
    record = make_delivery()
    draw_delivery_state(record, NOON)
    draw_delivery_detail(
        record,
        "https://user:pass@example.com/hooks/parley?source=parley&token=abc",
        key="example-delivery",
        now=NOON,
    )
