from app.contract.missing_details import MissingField
from components.agreements.missing_form import draw_missing_counts, draw_missing_form
from tests.components.agreements.fixtures import make_agreement


def example() -> None:
    agreement = make_agreement(missing=["owners", "noticePeriod"], noticePeriod=None)
    draw_missing_counts([MissingField(field="noticePeriod", total=3, deadlines=2)], 2)
    draw_missing_form(agreement, key="example-missing", faults={"notice-unit": "Choose months or days."})
