from decimal import Decimal

from app.contract.agent_calls import AgentCall, AgentToolCount
from app.contract.audit import Actor
from components.deployment import SERVICE_ERROR, draw_agent_calls, draw_agent_counts
from tests.components.fixtures import NOON, make_id


def example() -> None:
    actor = Actor(kind="key", id=make_id(2), name="Assistant of purchasing")
    draw_agent_counts([AgentToolCount(tool="find_products", calls=2, failed=1, last_at=NOON)])
    draw_agent_calls(
        [
            AgentCall(
                id=make_id(number),
                at=NOON,
                actor=actor,
                tool="find_products",
                outcome=outcome,
                status=404 if outcome == SERVICE_ERROR else None,
                seconds=Decimal("0.125"),
            )
            for number, outcome in enumerate((SERVICE_ERROR, "answered"))
        ],
    )
