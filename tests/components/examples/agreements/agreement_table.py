from components.agreements.agreement_facts import draw_agreement_table
from tests.components.agreements.fixtures import make_agreement


def example() -> None:
    draw_agreement_table([make_agreement(), make_agreement(status="expired", missing=[])])
