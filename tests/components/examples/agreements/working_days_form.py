from app.contract.agreements import Holiday, MovedDeadlines, WorkingDays
from components.agreements.working_days_form import draw_moved_deadlines, draw_working_days_form
from tests.components.agreements.fixtures import EXAMPLE_DAY
from tests.components.fixtures import make_id


def example() -> None:
    draw_working_days_form(
        WorkingDays(
            weekend=["saturday", "sunday"], holidays=[Holiday(date=EXAMPLE_DAY, name="Founders' day")]
        ),
        key="example-days",
    )
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
