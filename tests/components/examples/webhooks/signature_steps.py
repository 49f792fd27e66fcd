from components.webhooks.signature_steps import draw_signature_steps
from tests.components.webhooks.fixtures import make_delivery


def example() -> None:
    record = make_delivery()
    draw_signature_steps(record.data.headers, record.data.body, key="example-signature")
