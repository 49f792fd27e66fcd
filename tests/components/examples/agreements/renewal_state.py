from datetime import UTC, date, datetime

from app.contract.renewals import AgreementRenewal
from components.agreements.agreement_facts import draw_statement
from tests.components.agreements.fixtures import make_agreement


def example() -> None:
    draw_statement(
        make_agreement(),
        AgreementRenewal(
            agreement_id="01890000-0000-7000-8000-000000000001",
            negotiation_id="01890000-0000-7000-8000-000000000002",
            status="active",
            act_by=date(2026, 9, 30),
            deadline_missed=True,
            left_out=["Training: it is paid once."],
            statement="The renewal of “Analytics”. The deadline, 30 September 2026, has passed.",
            started_at=datetime(2026, 10, 2, tzinfo=UTC),
            started_by="bea@acme.example",
        ),
    )
