from app.contract.agreements import MissingField
from components.agreements.agreement_facts import draw_missing_counts


def example() -> None:
    draw_missing_counts([MissingField(field="noticePeriod", total=3, deadlines=2)], 2)
