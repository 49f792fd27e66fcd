from app.contract.webhooks import InboxMessage
from components.webhooks.webhooks import draw_inbox_messages
from tests.components.fixtures import NOON, make_id


def example() -> None:
    body = '{"eventType":"scope.extracted","data":{"scopeId":"1","status":"completed"}}'
    headers = {"content-type": "application/json", "webhook-id": make_id(401)}
    faults = (None, "no signature matches the secret")
    draw_inbox_messages(
        [
            InboxMessage(id=str(at), received_at=NOON, headers=headers, body=body, fault=fault)
            for at, fault in enumerate(faults)
        ],
    )
