from app.contract.missing_details import MissingField
from components.agreements.missing_counts import draw_missing_counts


def example() -> None:
    draw_missing_counts([MissingField(field="noticePeriod", total=3, deadlines=2)], 2)
