from datetime import date

from components.agreements.agreement_form import draw_agreement_form
from tests.components.agreements.fixtures import make_agreement


def example() -> None:
    draw_agreement_form(
        key="example-agreement",
        faults={"termEnd": "The end is before the start."},
        agreement=make_agreement(termStart=date(2026, 1, 1)),
    )
