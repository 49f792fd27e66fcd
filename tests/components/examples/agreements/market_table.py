from decimal import Decimal

from app.contract.agreement_market import MarketLine, MarketSum
from components.agreements.portfolio import draw_market_sums, draw_market_table
from tests.components.agreements.fixtures import EXAMPLE_DAY, make_market_example


def example() -> None:
    draw_market_sums([MarketSum(currency="USD", agreements=2, amount=Decimal(30_000), saving=Decimal(3_000))])
    unknown = MarketLine(description="Support", statement="The quantity is not known.")
    thin = make_market_example(
        2, name="Support", certainty="thin", compared=Decimal(0), saving=None, lines=[unknown]
    )
    draw_market_table([make_market_example(), thin], EXAMPLE_DAY)
