from app.contract.agreements import MovedDeadlines
from components.agreements.agreement_facts import draw_moved_deadlines
from tests.components.fixtures import make_id


def example() -> None:
    draw_moved_deadlines(
        MovedDeadlines.model_validate(
            {
                "total": 1,
                "data": [
                    {
                        "agreementId": make_id(1),
                        "name": "Analytics",
                        "currentDeadline": "2026-09-30",
                        "movedDeadline": "2026-09-29",
                    }
                ],
            }
        )
    )
