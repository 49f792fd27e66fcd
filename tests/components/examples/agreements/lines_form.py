from decimal import Decimal

from app.contract.agreements import AgreementLine
from components.agreements.agreement_facts import draw_lines_form
from tests.components.fixtures import make_id


def example() -> None:
    line = AgreementLine(
        product_id=make_id(2), description="Analytics", quantity=Decimal(10), amount=Decimal(12_000)
    )
    draw_lines_form(
        [line], {make_id(2): "Analytics"}, key="example-lines", faults={"lines": "Line 1: say what."}
    )
